import type { TestExpression } from 'unbash';
import { mayHavePlace } from './builtin';
import type { Expander } from './expand';
import { testedWords } from './expressions';
import { isTaintedField } from './field';
import type { Reader } from './reader';

/** The shell that reckons. */
interface ReckoningShell {
  readonly reader: Reader;
  readonly expander: Expander;
}

/** What sets or runs something where it is reckoned with, and an expression that finds none of it. */
const assigning = /[=[]|--|\+\+/;
const digits = /^(?:[\d^$(){}[\]+*?,v-]|\\\.)*$/;

/** `[[ … ]]`: what it looks at, and what that runs where it is taken for a number or a name. */
export function readTest(expression: TestExpression, { reader, expander }: ReckoningShell): void {
  for (const { word, isReckoned, isName, expression: pattern } of testedWords(expression)) {
    const fields = expander.texts(word);
    for (const field of fields) reader.suspect(field, `[[ ${field.text} ]]`);
    if (pattern) {
      const isText = fields.some((field) => isTaintedField(field) || assigning.test(field.text));
      for (const name of ['BASH_REMATCH', 'match', 'MATCH'])
        reader.scope.set(name, [], { isArray: true, isOpen: true, isTainted: isText && !digits.test(pattern.text) });
    }
    if (isReckoned || isName) {
      const reckoned = expander.reckonedWord(word);
      reader.reckon(isName ? reckoned.filter(mayHavePlace) : reckoned, `[[ ${word.text} ]]`);
    }
  }
}

/** `(( … ))`: what runs of that with which it reckons, and the variables that it gives a value. */
export function readArithmetic(text: string, { reader, expander }: ReckoningShell): void {
  reader.reckon(expander.reckoned(text), text);
}
