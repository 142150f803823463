/** The resolver's answer: can this be done, and if not, what would make it possible. */
export type Verdict = 'yes' | 'yes-after-probe' | 'yes-after-approval' | 'blocked-by-policy' | 'no';

/** What is known of a requirement now. */
export type RequirementState = 'fresh' | 'stale' | 'red' | 'unknown';

/** A side-effect-free check. `${secret:NAME}` in header values is filled in by the prober, never stored. */
export type Probe =
  | {
      readonly type: 'http';
      readonly url: string;
      readonly method: 'GET' | 'HEAD';
      readonly headers: Readonly<Record<string, string>>;
      readonly expectStatus: readonly number[];
      readonly timeoutMs: number;
    }
  | {
      readonly type: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly expectExit: readonly number[];
      readonly timeoutMs: number;
    }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'env'; readonly name: string }
  | { readonly type: 'secret'; readonly name: string }
  | { readonly type: 'mcp'; readonly server: string }
  | { readonly type: 'channel'; readonly channel: string }
  | {
      readonly type: 'vscode';
      readonly command: string;
      readonly args: readonly unknown[];
      readonly timeoutMs: number;
    };

/** One thing that capabilities need: a row of `requirements.json`. */
export interface Requirement {
  readonly id: string;
  /** resource, account, key, channel, server, binary, host, file, environment variable, secret, or any other word. */
  readonly kind: string;
  readonly name?: string;
  readonly critical: boolean;
  readonly freshnessBudgetHours?: number;
  readonly probe?: Probe;
  /** What whoever wrote the row found last; what is probed here later counts more. */
  readonly lastProbe?: { readonly isGood: boolean; readonly at: number };
  readonly line?: number;
}
