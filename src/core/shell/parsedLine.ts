import { parse, type ParsedScript, type Word } from 'unbash';
import { without } from './spans';
import { noPipe, type Pipe, textWords } from './textWords';

/** Lines within lines are looked through so deep; a deeper one is a word like another. */
const deepest = 4;
/** Nobody can tell here who gets what a line within another one prints. */
const within: Pipe = { isFed: false, feeds: true };

/** A line taken apart, with its words that are text and name no file. */
interface ParsedLine {
  readonly script: ParsedScript;
  readonly texts: ReadonlySet<Word>;
  /** The line without these words, as it is searched for places, with what its shells get as lines, likewise. */
  readonly shown: string;
}

/** Parses lines that stand in one another, each text once. */
export class LineParser {
  readonly #known = new Map<string, ParsedLine>();

  /** Parses the line that was given. */
  whole(line: string): ParsedLine {
    return this.#parsed(line, noPipe, 0);
  }

  /** Parses text that runs within that line. */
  inner(text: string, depth = 0): ParsedLine {
    const parsed = this.#known.get(text) ?? this.#parsed(text, within, depth);
    this.#known.set(text, parsed);
    return parsed;
  }

  #parsed(line: string, pipe: Pipe, depth: number): ParsedLine {
    const script = parse(line);
    const { texts, lines } = textWords(script, line, pipe, depth < deepest);
    const shown = [...lines.values()].map((text) => this.inner(text, depth + 1).shown);
    const all = new Set([...texts, ...lines.keys()]);
    return { script, texts: all, shown: [without(line, all), ...shown].join('\n') };
  }
}
