import { countQuestions, questionTable } from '../support/sessions/count';
import type { Row } from './rows';

/** Questions over the honest sessions; the table above the rows is the one of the README. */
export async function bench(): Promise<readonly Row[]> {
  const counts = await countQuestions();
  console.log(
    ['', ...questionTable(counts), '', '| what | ours | peer | ratio | target |', '|---|---|---|---|---|'].join('\n'),
  );
  return counts.map(({ preset, person, questions, sessions }) => ({
    name: `${preset}, answered ${person}: questions in ${sessions} sessions`,
    ours: questions,
    unit: '',
    target: 'for information: test/unit/system/questions.test.ts holds it',
  }));
}
