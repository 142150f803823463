import type { TestExpression } from 'unbash';
import type { Expander } from './expand';
import { testedWords } from './expressions';
import type { Reader } from './reader';

/** The shell that reckons. */
interface ReckoningShell {
  readonly reader: Reader;
  readonly expander: Expander;
}

/** `[[ … ]]`: what it looks at, and what that runs where it is taken for a number or a name. */
export function readTest(expression: TestExpression, { reader, expander }: ReckoningShell): void {
  for (const { word, isReckoned } of testedWords(expression)) {
    const fields = expander.texts(word);
    for (const field of fields) reader.suspect(field, `[[ ${field.text} ]]`);
    if (isReckoned)
      reader.reckon(
        fields.map(({ text }) => text),
        `[[ ${word.text} ]]`,
      );
  }
}

/** `(( … ))`: what runs of that with which it reckons, and the variables that it gives a value. */
export function readArithmetic(text: string, { reader, expander }: ReckoningShell): void {
  reader.reckon(expander.reckoned(text), text);
}
