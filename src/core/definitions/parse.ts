import { isObject } from '../base/json';
import { Findings, got } from '../base/jsonReader';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import { type JsonDocument, readJsonDocument } from '../base/jsonDocument';
import { parseActions } from './parseActions';
import { parseCapability } from './parseCapability';
import { type ChannelPolling, parseChannel } from './parseChannel';
import { type DefinitionFormat, formatOf, type ParsedDefinition } from './spec';

/** A parsed file with what the loader needs beside its capabilities. */
export interface ParsedFile extends ParsedDefinition {
  readonly format: DefinitionFormat;
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
    format,
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
  const made = byFormat(format, value, findings, file, manifestUrl);
  const problems = [...document.problems, ...placed(findings.problems, document)];
  const errors = problems.filter((one) => one.severity === 'error');
  const usable = errors.length === 0 && made.specs.length > 0;
  const isPartial =
    errors.length > 0 && errors.every((one) => inOneTool(one)) && made.specs.some((spec) => spec.tools.length > 0);
  return { format, ...made, problems, usable, isPartial, document: value };
}

/** Each of them is left out by itself, whatever is wrong inside it. */
const inOneTool = ({ pointer = '' }: Problem): boolean =>
  /^\/(?:tools|capabilities|layers\/capabilities\/actions)\/\d/.test(pointer);

function byFormat(
  format: DefinitionFormat,
  value: Record<string, unknown>,
  findings: Findings,
  file: string,
  manifestUrl: string | undefined,
): Pick<ParsedFile, 'specs' | 'polling'> {
  switch (format) {
    case 'capability': {
      const spec = parseCapability(value, '', findings, file);
      return { specs: spec ? [spec] : [], polling: [] };
    }
    case 'actions': {
      const spec = parseActions(value, findings, file);
      return { specs: spec ? [spec] : [], polling: [] };
    }
    case 'channel': {
      const { spec, polling } = parseChannel(value, findings, file, manifestUrl);
      return { specs: [spec], polling };
    }
  }
}

function subjectOf(value: Record<string, unknown>, file: string): string {
  const id = value['id'] ?? value['channel'];
  return typeof id === 'string' && id !== '' ? id : file;
}

/** A property that is not known is marked at its key, everything else at its value. */
function placed(problems: readonly Problem[], document: JsonDocument): readonly Problem[] {
  return problems.map((one) => document.place(one, one.code === 'unknown_property' ? 'key' : 'value'));
}
