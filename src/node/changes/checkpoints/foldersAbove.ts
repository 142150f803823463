/** The folders that hold a place, the innermost first, without the root. */
export function* foldersAbove(file: string): Generator<string> {
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) yield file.slice(0, at);
}
