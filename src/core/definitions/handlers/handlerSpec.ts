import type { Json } from '../../base/json';
import type { Template } from '../../vocabulary/template';
import type { ToolKind } from '../../vocabulary/toolDefinition';

/** How an answer over HTTP becomes the tool's payload. */
export interface ResponseSpec {
  /** `auto`: JSON where the content type or the text says so, else text. */
  readonly type: 'auto' | 'json' | 'text';
  /** JSON pointer to the part that is the payload. */
  readonly select?: string;
  /** Payload properties by name, each a JSON pointer into the (selected) answer. */
  readonly map?: Readonly<Record<string, string>>;
  /** JSON pointer to the message in an error's body. */
  readonly error?: string;
}

export interface HttpHandlerSpec {
  readonly type: 'http';
  readonly method: string;
  /** Its scheme and host are literal: input never decides who is contacted. */
  readonly url: Template;
  readonly query: Readonly<Record<string, Json>>;
  readonly headers: Readonly<Record<string, Template>>;
  readonly body?: Json;
  readonly bodyType: 'json' | 'form' | 'text';
  readonly response: ResponseSpec;
  readonly maxBytes: number;
}

/** A command of the editor with bound arguments. */
export interface CommandHandlerSpec {
  readonly type: 'command';
  readonly command: string;
  readonly args: readonly Json[];
}

/** A program with a fixed argument list; no shell ever sees it. */
export interface ProcessHandlerSpec {
  readonly type: 'process';
  readonly command: string;
  readonly args: readonly string[];
  /** Workspace-relative, with `/`. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly output: 'text' | 'json' | 'lines';
  readonly maxOutputBytes: number;
  readonly okExitCodes: readonly number[];
  /** Lets an argument made from input begin with `-`. */
  readonly allowOptions: boolean;
}

/** What a module may reach, each use through the gate. */
export interface ModulePorts {
  /** Hosts that `fetch` may contact, as globs; `*` is any. */
  readonly fetch?: readonly string[];
  readonly files?: 'read' | 'write';
  readonly secrets?: readonly string[];
  /** Tools that it may call. */
  readonly tools?: readonly string[];
}

export interface ModuleHandlerSpec {
  readonly type: 'module';
  /** Workspace-relative, with `/`. */
  readonly file: string;
  readonly exportName: string;
  readonly ports: ModulePorts;
  readonly memoryMb: number;
  /** `node` runs in the extension's own process once the user trusted the file's content. */
  readonly mode: 'sandbox' | 'node';
}

/** Another tool with bound arguments; an MCP tool is the tool `mcp:<server>:<tool>`. */
export interface ToolHandlerSpec {
  readonly type: 'tool' | 'mcp';
  readonly tool: string;
  readonly input: Json;
}

export type Condition =
  | { readonly type: 'truthy'; readonly value: Json }
  | {
      readonly type: 'compare';
      readonly value: Json;
      readonly is: 'equals' | 'notEquals' | 'greaterThan' | 'lessThan' | 'in';
      readonly to: Json;
    }
  | { readonly type: 'exists'; readonly value: Json; readonly expected: boolean }
  | { readonly type: 'not'; readonly condition: Condition }
  | { readonly type: 'all' | 'any'; readonly conditions: readonly Condition[] };

export interface ComposeStep {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  readonly condition?: Condition;
  /** A template that yields an array; the step runs once for each item, with `${item}` and `${index}`. */
  readonly forEach?: string;
  /** `stop` ends with the step's error; `continue` goes on; a step runs instead, and its result counts. */
  readonly onError: 'stop' | 'continue' | { readonly tool: string; readonly input: Json };
  readonly pointer: string;
}

export interface ComposeHandlerSpec {
  readonly type: 'compose';
  readonly steps: readonly ComposeStep[];
  /** A JSON template over `${steps.…}`; left out, the payload holds every step's result by id. */
  readonly output?: Json;
}

/** One endpoint of a channel; its URL is resolved. */
export interface ChannelHandlerSpec {
  readonly type: 'channel';
  readonly kind: ToolKind;
  readonly url: string;
}

/** What a definition file writes as a handler; those of a channel's manifest are made of its endpoints. */
export type WrittenHandlerSpec =
  HttpHandlerSpec | CommandHandlerSpec | ProcessHandlerSpec | ModuleHandlerSpec | ToolHandlerSpec | ComposeHandlerSpec;

export type HandlerSpec = WrittenHandlerSpec | ChannelHandlerSpec;

/** The tools that a handler calls, by reference, with the pointer to each. */
export function calledTools(handler: HandlerSpec): readonly { readonly tool: string; readonly pointer: string }[] {
  switch (handler.type) {
    case 'tool':
    case 'mcp':
      return [{ tool: handler.tool, pointer: '/tool' }];
    case 'compose':
      return handler.steps.flatMap((step) => [
        { tool: step.tool, pointer: `${step.pointer}/tool` },
        ...(typeof step.onError === 'object'
          ? [{ tool: step.onError.tool, pointer: `${step.pointer}/onError/tool` }]
          : []),
      ]);
    default:
      return [];
  }
}

/** A file of the workspace that runs as part of a definition, as it was when it was read. */
export interface BoundFile {
  readonly sha256: string;
  readonly size: number;
  /** What it says; undefined for what is no text. A module runs from this very text. */
  readonly text?: string;
  /** Where it stands on the machine, for messages of the code that runs. */
  readonly path: string;
}

/** By the path that rules and people see. */
export type BoundFiles = ReadonlyMap<string, BoundFile>;
