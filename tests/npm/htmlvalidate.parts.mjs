// Parts of pages are judged as pages are, but for what only a whole document has.
import whole from "./htmlvalidate.mjs";

export default { ...whole, extends: whole.extends.filter((name) => name !== "html-validate:document") };
