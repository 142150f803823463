/** One call that the scripted model makes, by the agent's own names. */
export interface ModelCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The server's name, where the protocol tells it apart from the tool's. */
  readonly namespace?: string;
  /** True where the tool takes a text instead of JSON; `input.text` then. */
  readonly isText?: boolean;
}

/** What a model answers to a request: the next call of the script, or a text. */
export interface Turn {
  readonly id: string;
  readonly call?: ModelCall;
  readonly text: string;
}

/** A protocol by which an agent talks to its model. */
export interface Protocol {
  /** True for the address of a question to the model. */
  handles(path: string): boolean;
  /** The results of earlier calls in a request, in their order; undefined for one beside the work, such as a title. */
  results(body: Readonly<Record<string, unknown>>): readonly string[] | undefined;
  /** The names of the tools in a request. */
  tools(body: Readonly<Record<string, unknown>>): readonly string[];
  /** The whole answer and its type. */
  answer(
    turn: Turn,
    body: Readonly<Record<string, unknown>>,
    path: string,
  ): { readonly type: string; readonly text: string };
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records of a list; nothing where it is none. */
export const records = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Whatever holds text, as one text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

/** Server-sent events, with the name of each where the protocol has names. */
export const events = (list: readonly object[], isNamed: boolean): string =>
  list
    .map((one) => `${isNamed && 'type' in one ? `event: ${String(one.type)}\n` : ''}data: ${JSON.stringify(one)}\n\n`)
    .join('');
