import { existsSync } from "node:fs";

const bashes = ["/bin/bash", "/usr/bin/bash"];

/**
 * The shell that runs commands of people: bash where there is one, since criteria say `method: bash` (S2-DN-02) and people write
 * `[[ … ]]`, `pipefail` and `&>`, which other shells refuse or take for something else; else `/bin/sh`.
 */
export const shellProgram: string = bashes.find((path) => existsSync(path)) ?? "/bin/sh";
