/**
 * Who brought a capability here, and what a person approved of it. Grants bind to it: what was allowed for a tool holds
 * neither for the tool of that id of another repository nor for what the same tool becomes later.
 */
export interface Provenance {
  /** `workspace` for whatever a repository brings: nothing of it can be allowed in every workspace. */
  readonly by: 'user' | 'workspace';
  /** Where it stands: `extension:acme.tools`, `server:files`, `.vscode/capabilities/media.capability.json`. */
  readonly from: string;
  /**
   * Another text whenever what was approved changes, such as a hash over all of it. Left out where nothing was
   * approved: an installed extension.
   */
  readonly hash?: string;
}
