import { existsSync } from "node:fs";

const bashes = ["/bin/bash", "/usr/bin/bash"];

/**
 * The shell for people's commands: bash if it exists, else `/bin/sh`. Criteria say `method: bash` (S2-DN-02), and people write `[[ …
 * ]]`, `pipefail` and `&>`, which other shells reject or read differently.
 */
export const shellProgram: string = bashes.find((path) => existsSync(path)) ?? "/bin/sh";
