export const PLAN_FILE = 'plan.json';

/** How the name of a workspace file ends; a fixture that holds one is opened by it and not as a folder. */
export const WORKSPACE_FILE = '.code-workspace';

/** Names the folder of a server's run; there an installed driver, whose own folder is the editor's, finds its plan. */
export const RUN_FOLDER_VARIABLE = 'AGENT_CAPABILITIES_RUN_FOLDER';

/** What the outer process tells the driver extension, as `plan.json` in the driver's folder. */
export interface Plan {
  /** The repository. */
  root: string;
  /** Where the driver writes how to reach it. */
  controlFile: string;
  /** Present when the driver runs suites itself. */
  suites?: SuitePlan;
}

export interface SuitePlan {
  files: SuiteFile[];
  /** The open folder; its content is made fresh for each file. */
  workspace: string;
  /** Each line is one `SuiteEvent`. */
  events: string;
  timeoutMs: number;
  grep?: string;
}

export interface SuiteFile {
  name: string;
  bundle: string;
  fixture: string;
}

export interface ControlAddress {
  port: number;
  token: string;
  /** The extension host's process: on the same machine, so whether it lives can be asked. */
  pid: number;
}

export type SuiteEvent =
  | { kind: 'file'; name: string }
  | { kind: 'suite'; title: string; depth: number }
  | { kind: 'pass'; title: string; depth: number; ms: number }
  | { kind: 'pending'; title: string; depth: number }
  | { kind: 'fail'; title: string; depth: number; fullTitle: string; error: string }
  | { kind: 'end'; name: string; tests: number }
  | { kind: 'done' };
