import type * as vscode from 'vscode';
import type { Sentence } from '../../core/base/sentence';
import type { ClientConfigurationOptions } from '../../core/foreign/clientConfiguration';
import type { ServerStatus } from '../../core/foreign/serverStatus';
import type { SecretStore } from '../../core/ports/platform';
import type { UserFolders } from '../../core/vocabulary/agentPlaces';
import type { CommandContext, ContextCommand } from '../commands/context';
import type { GovernanceContext } from '../governance/governanceCommand';
import type { TextQuestions } from '../confirm/textQuestions';

/** The servers as commands need them; implemented by the manager in `src/mcp`. */
export interface ServerList {
  list(): readonly ServerStatus[];
  start(name: string): Promise<void>;
  stop(name: string): Promise<void>;
  restart(name: string): Promise<void>;
  reconsider(name: string): Promise<void>;
  forget(name: string): Promise<void>;
  signOut(name: string): Promise<'revoked' | 'deleted' | 'none'>;
  discover(): Promise<void>;
}

/** The value of an mcp.json, and where it was found. */
export interface EditorServerFile {
  readonly uri: vscode.Uri;
  /** Its path as people read it. */
  readonly file: string;
  /** Undefined where it cannot be read. */
  readonly value: unknown;
  /** What keeps the file, or a part of it, from being read. */
  readonly fault?: Sentence;
  /** The folder of the workspace that brings it; left out for the person's own. */
  readonly folder?: string;
}

/** What the commands about servers and clients work with, all of them together. */
export interface ServerCommandContext
  extends Pick<CommandContext, 'outside' | 'registry'>, Pick<GovernanceContext, 'selection' | 'writeText'> {
  /** Where other clients keep their files. */
  readonly user: UserFolders;
  readonly servers: ServerList;
  /** Each mcp.json that exists. */
  readonly editorFiles: () => Promise<readonly EditorServerFile[]>;
  readonly secrets: Pick<SecretStore, 'get'>;
  readonly client: () => Promise<ClientConfigurationOptions>;
  /** The address of the agents' API and its token, for a person only; starts it. */
  readonly api: () => Promise<{ readonly url: string; readonly token: string }>;
  /** Opens a server's log, which follows what is written. */
  readonly showLog: (name: string) => Promise<void>;
  /** Asks before something is granted. */
  readonly questions: TextQuestions;
}

/** A command that gets a tree row, or a server's name from a program, or nothing from the palette. */
export type ServerCommand<Needs extends keyof ServerCommandContext> = ContextCommand<ServerCommandContext, Needs>;
