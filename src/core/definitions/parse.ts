import { isObject } from '../base/json';
import { Findings, got } from '../base/jsonReader';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import { type JsonDocument, readJsonDocument } from '../base/jsonDocument';
import { parseActions } from './parseActions';
import { parseCapability } from './parseCapability';
import { type ChannelPolling, parseChannel } from './parseChannel';
import { type DefinitionSpec, formatOf } from './spec';

/** What a definition file says. */
export interface ParsedFile {
  readonly text: string;
  readonly specs: readonly DefinitionSpec[];
  /** Each with file, line and column. */
  readonly problems: readonly Problem[];
  /** False where an error keeps the file from being used; the last good version then stays in force. */
  readonly usable: boolean;
  /**
   * True where every error is about one tool, and others are left: these can be used where no good version is known.
   */
  readonly isPartial: boolean;
  readonly polling: readonly ChannelPolling[];
  /** The whole document as it was read, for what is bound to all of it. */
  readonly document: unknown;
}

/**
 * Reads the text of a definition file. Never throws, and never says nothing: a file that is not `usable` has at least
 * one problem of severity `error`, and every problem has its file, line and column.
 * @param manifestUrl the address of a channel manifest that was fetched.
 */
export function parseDefinition(text: string, file: string, manifestUrl?: string): ParsedFile {
  const format = formatOf(file) ?? (manifestUrl === undefined ? 'capability' : 'channel');
  const document = readJsonDocument(text, file);
  const nothing: ParsedFile = {
    text,
    specs: [],
    problems: document.problems,
    usable: false,
    isPartial: false,
    polling: [],
    document: undefined,
  };
  if (document.problems.some((one) => one.severity === 'error')) return nothing;
  const { value } = document;
  if (!isObject(value)) {
    const said = say('definition_no_object', format, got(value));
    const fault = problem({ severity: 'error', code: 'invalid_definition', said });
    return { ...nothing, problems: [...document.problems, document.place(fault)] };
  }
  const findings = new Findings({ code: 'invalid_definition', subject: subjectOf(value, file) });
  const { spec, polling } =
    format === 'channel'
      ? parseChannel(value, findings, file, manifestUrl)
      : { spec: (format === 'actions' ? parseActions : parseCapability)(value, findings, file), polling: [] };
  const problems = [...document.problems, ...placed(findings.problems, document)];
  const errors = problems.filter((one) => one.severity === 'error');
  const usable = errors.length === 0 && spec !== undefined;
  const isPartial = errors.length > 0 && errors.every(inOneTool) && (spec?.tools ?? []).length > 0;
  return { text, specs: spec ? [spec] : [], polling, problems, usable, isPartial, document: value };
}

/** Each of them is left out by itself, whatever is wrong inside it. */
const inOneTool = ({ pointer = '' }: Problem): boolean =>
  /^\/(?:tools|capabilities|layers\/capabilities\/actions)\/\d/.test(pointer);

function subjectOf(value: Record<string, unknown>, file: string): string {
  const id = value['id'] ?? value['channel'];
  return typeof id === 'string' && id !== '' ? id : file;
}

/** A property that is not known is marked at its key, everything else at its value. */
function placed(problems: readonly Problem[], document: JsonDocument): readonly Problem[] {
  return problems.map((one) => document.place(one, one.code === 'unknown_property' ? 'key' : 'value'));
}
