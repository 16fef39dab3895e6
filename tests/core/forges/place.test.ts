import { describe, expect, it } from "vitest";
import type { ForgeSite } from "../../../src/core/forges/forge.ts";
import { forgePlace } from "../../../src/core/forges/place.ts";

const sites: readonly ForgeSite[] = [
  { provider: "github", url: "https://github.com", token: "t" },
  { provider: "gitlab", url: "https://gitlab.com", token: "t" },
  { provider: "gitea", url: "https://example.org/gitea", token: "t" },
];

describe("where a repository is on a forge [F-605]", () => {
  it.each([
    ["https://github.com/ana/shop.git", "github", "ana/shop"],
    ["https://GitHub.com/ana/shop/", "github", "ana/shop"],
    ["git@github.com:ana/shop.git", "github", "ana/shop"],
    ["ssh://git@github.com:22/ana/shop", "github", "ana/shop"],
    ["git@gitlab.com:group/below/shop.git", "gitlab", "group/below/shop"],
    ["https://example.org/gitea/ana/shop.git", "gitea", "ana/shop"],
    ["ssh://git@example.org:2222/ana/shop.git", "gitea", "ana/shop"],
  ])("%s", (location, provider, path) => {
    const place = forgePlace(location, sites);

    expect(place).toMatchObject({ path, site: { provider } });
  });

  it.each([
    ["a folder of this machine", "/srv/shop"],
    ["another host", "https://github.com.evil.example/ana/shop"],
    ["a host that begins alike", "https://github.community/ana/shop"],
    ["no owner", "https://github.com/shop"],
    ["groups in groups at GitHub", "https://github.com/a/b/c"],
    ["a path that goes up", "git@github.com:../shop"],
    ["what ends an address", "git@github.com:ana/sh%2Fop"],
    ["beside the server's folder", "https://example.org/ana/shop"],
  ])("none: %s", (_, location) => {
    expect(forgePlace(location, sites)).toBeNull();
  });
});
