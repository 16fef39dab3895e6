/** The variable that makes git also read the objects in `folder`. Quoted, because git's list of folders is separated by `:`. */
export function readsObjectsOf(folder: string): { readonly GIT_ALTERNATE_OBJECT_DIRECTORIES: string } {
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${folder.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` };
}
