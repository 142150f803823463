/**
 * The API of the extension "Agent Capabilities" for other extensions, version 1. This file stands alone: copy it into
 * your extension.
 *
 * `const api = await
 * vscode.extensions.getExtension<AgentCapabilitiesApi>('agent-capabilities.agent-capabilities')?.activate();`
 *
 * Properties and methods may be added within a version; nothing is taken away or changes its meaning.
 */
export interface AgentCapabilitiesApi {
  readonly version: 1;
  /**
   * Adds a capability of your extension. It is off in every profile until a person switches it on; its tools pass the
   * same gate as all others. Rejects with a message that lists every fault where the capability is not valid or its id
   * is taken. Disposing the answer removes it.
   */
  registerCapability(extensionId: string, capability: ApiCapability): Promise<{ dispose(): void }>;
  /** Every registered capability with its tools, and whether each is on in the active profile. */
  listCapabilities(): Promise<readonly ApiCapabilityInfo[]>;
  /**
   * What a profile resolves to; the active one where none is named. Rejects for an unknown id, naming the nearest ones.
   */
  resolveProfile(profileId?: string): Promise<ApiRuntimeAgent>;
  /**
   * Calls a tool through the gate, as an agent that bears your extension's id: it is validated, judged, confirmed by
   * the person where that is needed, and audited. Denials and errors of tools are answers, never rejections.
   */
  invokeTool(extensionId: string, tool: string, input: object, signal?: AbortSignal): Promise<ApiToolResult>;
}

export interface ApiCapability {
  /** snake_case; yours for ever. */
  readonly id: string;
  /** A semantic version. */
  readonly version: string;
  readonly name: string;
  readonly description: string;
  /** A codicon id without `$()`. */
  readonly icon?: string;
  readonly category?: string;
  /** Added to the runtime agent's prompt at the capability's place. */
  readonly systemPrompt?: string;
  readonly tools: readonly ApiTool[];
}

export type ApiPermission = 'allowed' | 'confirmation_required' | 'forbidden';

export interface ApiTool {
  /** `verb_noun` in snake_case. */
  readonly name: string;
  readonly title: string;
  readonly kind: 'data' | 'state' | 'action' | 'control' | 'status';
  /** For the model, in English: an imperative first sentence, when to use it, what comes back. */
  readonly modelDescription: string;
  readonly userDescription: string;
  /** A JSON Schema of type object. */
  readonly inputSchema: object;
  readonly outputSchema?: object;
  /** Default: allowed for users, and for agents allowed where the kind only reads, else confirmation_required. */
  readonly permissions?: { readonly user: ApiPermission; readonly agent: ApiPermission };
  readonly scopes?: readonly string[];
  readonly riskLevel: 'low' | 'medium' | 'high' | 'critical';
  /** Everything that the tool may touch, such as `fs.write` or `network.http`; policy judges by it. */
  readonly sideEffects: readonly string[];
  readonly idempotent: boolean;
  /** Default false. */
  readonly reversible?: boolean;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * What this input will touch, where that can be told; without it policy judges by `sideEffects`. The resource of
   * `fs.*` is a path of the machine (`uri.fsPath`), a `file:` address, or a path relative to the workspace; that of
   * `network.*` a URL or a host. What cannot be read so denies the call.
   */
  accesses?(input: never): readonly { readonly effect: string; readonly resource: string; readonly method?: string }[];
  /**
   * Runs with input that fits the schema, and answers JSON. What it throws is told to the model as an error of the
   * tool.
   */
  run(input: never, context: { readonly signal: AbortSignal; report(message: string): void }): Promise<unknown>;
}

export interface ApiCapabilityInfo {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly tools: readonly {
    readonly id: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly riskLevel: string;
  }[];
}

export interface ApiRuntimeAgent {
  readonly profileId: string;
  readonly mode: 'plan' | 'execute';
  readonly systemPrompt: string;
  readonly tools: readonly {
    readonly id: string;
    readonly modelName: string;
    readonly description: string;
    readonly inputSchema: object;
  }[];
  readonly problems: readonly string[];
}

export type ApiToolResult =
  | { readonly success: true; readonly payload: unknown; readonly durationMs: number }
  | {
      readonly success: false;
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
      readonly durationMs: number;
    };
