/** What editors hold and have not saved. Paths are as in `WorkspacePath`, by the folder's scheme and path. */
export interface OpenDocuments {
  /** The text of a document with unsaved changes; undefined where the file is not open or is saved. */
  unsaved(path: { readonly scheme: string; readonly path: string }): string | undefined;
  /** The full paths of all documents of a scheme with unsaved changes. */
  unsavedPaths(scheme: string): readonly string[];
  /** Replaces the text in the editor, without saving, as one step that the user can undo. False where that failed. */
  replace(path: { readonly scheme: string; readonly path: string }, text: string): Promise<boolean>;
}
