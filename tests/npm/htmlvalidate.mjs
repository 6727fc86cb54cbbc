// What html-validate judges pages by: its own recommendation, with the deviations below and the reason for each.
export default {
  root: true,
  extends: ["html-validate:recommended", "html-validate:document", "html-validate:a11y"],
  rules: {
    // templates write `<!doctype html>` as the standard's own examples do
    "doctype-style": ["error", { style: "lowercase" }],
    // the standard allows void elements without a slash, and so do templates
    "void-style": ["error", { style: "omit" }],
    // what a template leaves at the end of a line is invisible, and gzip takes it away
    "no-trailing-whitespace": "off",
    // a button that sends its form is the default of the standard
    "no-implicit-button-type": "off",
    // and so is a field of text
    "no-implicit-input-type": "off",
    // an entry has several examples, each in a field of the same name
    "form-dup-name": "off",
    // styles and scripts come from the site itself, and a test sees that nothing comes from elsewhere
    "require-sri": ["error", { target: "crossorigin" }],
    // a list may have a name: what the chips above a search are, what a link carries
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    // suggestions under a search box are links to follow, not values to choose from
    "prefer-native-element": ["error", { exclude: ["listbox"] }],
    // a title is as long as the error that it names; search engines shorten it themselves
    "long-title": "off",
    // ids of headings are their words, Chinese too, so that an address can be read
    "valid-id": ["error", { relaxed: true }],
  },
};
