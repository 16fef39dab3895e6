import type { Finding } from "../core/reports/finding.ts";
import { formatBytes } from "../core/space/free.ts";
import { readOnlyWords } from "../core/space/no-space.ts";
import type { Deps } from "../deps.ts";

/** Returns the free space of every place to which we write. */
export async function findSpace(deps: Pick<Deps, "space">): Promise<Finding[]> {
  const { places } = await deps.space();
  return places.map(({ place, folder, freeBytes, needBytes, isShort, isReadOnly = false }) => {
    const name = `free space, ${place}`;
    const unwritable = `${folder} cannot be written, ${readOnlyWords}: no goal starts. Make it writable`;
    if (isReadOnly) return { name, ok: false, says: unwritable };
    const free = `${formatBytes(freeBytes)} free in ${folder}`;
    const says = isShort
      ? `${free}, ${formatBytes(needBytes)} are needed: no goal starts. Free some there, or set COS_MIN_FREE_MB lower`
      : `${free} (goals start from ${formatBytes(needBytes)} on)`;
    return { name, ok: !isShort, says };
  });
}
