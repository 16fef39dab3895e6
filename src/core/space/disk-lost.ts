/**
 * Thrown when folders of ours disappeared or were replaced while they were in use: the disk was emptied or mounted again. Other errors
 * fail a turn; this one only interrupts it (D8).
 */
export class DiskLost extends Error {
  override readonly name = "DiskLost";
}
