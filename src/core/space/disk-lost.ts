/**
 * Folders of ours went away, or are others by now, while something was done in them: a disk was emptied, or mounted anew. Thrown where we
 * learn of it, and told apart from every other failure: such a turn was interrupted, it has not failed (D8).
 */
export class DiskLost extends Error {
  override readonly name = "DiskLost";
}
