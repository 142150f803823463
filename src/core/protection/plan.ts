import type { Sentence } from '../base/sentence';
import { placeOf, type UserFolders } from '../vocabulary/agentPlaces';
import type { Agent } from './agents';
import type { Insertion } from './textEdit';

/** A file as it is and as it shall be; undefined where there is none. */
export interface FileChange {
  /** The absolute path. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The pieces that were put in, in their order; none where the whole file is ours. */
  readonly insertions: readonly Insertion[];
}

/** What was installed for an agent, kept so that it can be taken back byte for byte. */
export interface Receipt {
  readonly files: readonly {
    readonly path: string;
    /** True where the file was not there before. */
    readonly isNew: boolean;
    readonly insertions: readonly Insertion[];
    /** Folders that were made for it, the outermost first. */
    readonly folders: readonly string[];
  }[];
}

/** What an installer is given: where the files are and what stands in them. */
export interface InstallContext {
  readonly user: UserFolders;
  /** The text of a file, undefined where there is none; throws a SaidError for one that is left alone. */
  read(path: string): string | undefined;
  sha256(text: string): string;
}

/** The changes that an agent needs; none where all is there already. A sentence says why nothing is touched. */
export type Plan = { readonly changes: readonly FileChange[] } | { readonly refused: Sentence; readonly path: string };

/** The file of an agent's entry, and that of its trust where it has one of its own. */
export const entryPath = ({ id, file }: Agent, user: UserFolders): string => placeOf(id, user, file);
export const trustPath = ({ id, form }: Agent, user: UserFolders): string | undefined =>
  form === 'codex' ? placeOf(id, user, '.codex/config.toml') : undefined;
