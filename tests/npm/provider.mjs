// A real OpenID provider on loopback, for tests/people/test_real_provider.py. Its one argument is JSON: port, client, secret,
// redirects (where the client's people may come back to), people (what is told of each, by the name that they type).
// It is of major 8, which is the last one that runs on Node 18, the one of Debian 12.
// Each start makes new keys. Whoever types a name that it knows is in, with any password; nobody is asked for consent.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";

const { port, client, secret, redirects, people } = JSON.parse(process.argv[2]);
const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: client, client_secret: secret, redirect_uris: redirects, grant_types: ["authorization_code"] }],
  claims: {
    openid: ["sub"],
    email: ["email", "email_verified"],
    profile: ["name", "preferred_username"],
    groups: ["groups"],
  },
  scopes: ["openid", "email", "profile", "groups"],
  cookies: { keys: ["only for tests"] },
  jwks: { keys: [{ ...key, alg: "RS256", use: "sig", kid: `key-${process.pid}` }] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  findAccount: (_context, id) => (people[id] ? { accountId: id, claims: () => ({ sub: id, ...people[id] }) } : undefined),
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope("openid email profile groups");
    await grant.save();
    return grant;
  },
});

createServer(provider.callback()).listen(port, "127.0.0.1", () => console.log("ready"));
