import { isObject, type JsonObject, parsedJson } from '../base/json';
import type { Translate } from '../base/translate';

/** A tool and its arguments, as an agent asks for them. */
interface TourCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** What the script says and asks for in one answer. */
interface TourRound {
  readonly says: string;
  readonly calls: readonly TourCall[];
}

/** One prompt of the tour, with all that the script answers to it. */
export interface TourStep {
  readonly id: 'look' | 'page' | 'todos' | 'math' | 'secret' | 'change';
  readonly title: string;
  /** What a person asks for. */
  readonly prompt: string;
  readonly rounds: readonly TourRound[];
  /** The last words, when all calls were answered; `answers` has the texts that the last round's tools gave. */
  readonly ends: (answers: readonly string[]) => string;
  /** What to look at. */
  readonly note: string;
}

const round = (says: string, ...calls: readonly TourCall[]): TourRound => ({ says, calls });

/** The last words by whether the first call of the last round was carried out: its answer holds what only that does. */
const byAnswer =
  (mark: RegExp, done: string, not: string): TourStep['ends'] =>
  ([answer]) =>
    answer !== undefined && mark.test(answer) ? done : not;

/** The result of a calculation. */
function resultOf(answer: string): string | undefined {
  const payload = parsedJson(answer);
  return isObject(payload) ? String(payload['result']) : undefined;
}

/**
 * The tour: what a person asks for, and the calls by which a script in the place of a model answers. The project is the
 * sample of a ferry's timetable.
 * @param site where the ferry company's pages are served.
 */
export function tourSteps(t: Translate, site: string): readonly TourStep[] {
  return [look(t), page(t, site), todos(t), math(t), secret(t), change(t)];
}

function look(t: Translate): TourStep {
  return {
    id: 'look',
    title: t('Search and read'),
    prompt: t('Which function finds the next departure, and is anything known to be wrong with it?'),
    rounds: [
      round(t('I search the project for it.'), {
        tool: 'grep_files',
        input: { pattern: 'nextDeparture', path: 'src' },
      }),
      round(t('Now I read the file.'), { tool: 'read_file', input: { path: 'src/timetable.ts' } }),
    ],
    ends: byAnswer(
      /function nextDeparture/,
      t(
        'It is `nextDeparture` in `src/timetable.ts`. A comment there names a problem: a ferry that leaves this very minute is missed.',
      ),
      t('I was not allowed to read it.'),
    ),
    note: t('Reading within the workspace asks nobody. Both calls went through the gate and stand in the record.'),
  };
}

function page(t: Translate, site: string): TourStep {
  return {
    id: 'page',
    title: t('A page as markdown'),
    prompt: t('What does the ferry company say about a ferry that leaves this very minute? Fetch {0}', site),
    rounds: [round(t('I fetch the page.'), { tool: 'web_fetch', input: { url: site, format: 'markdown' } })],
    ends: byAnswer(/1439/, t('A ferry that leaves this very minute still counts.'), t('I could not read the page.')),
    note: t(
      'The page came over HTTP from this machine and was turned into markdown. Private addresses are closed; this one is open because the settings of the tour name it.',
    ),
  };
}

function todos(t: Translate): TourStep {
  const steps = [t('Read the timetable'), t('Read what the company says'), t('Let a ferry of this minute count')];
  return {
    id: 'todos',
    title: t('A todo list'),
    prompt: t('Make a todo list for mending it.'),
    rounds: [
      round(t('Two are done, one is left.'), {
        tool: 'write_todos',
        input: { todos: steps.map((content, at) => ({ content, status: at < 2 ? 'completed' : 'in_progress' })) },
      }),
    ],
    ends: byAnswer(/^\d+ of \d+ completed/, t('The list is written.'), t('The list was not written.')),
    note: t('The list is yours, too: the Todos view shows it, and the agent is told what you change in it.'),
  };
}

function math(t: Translate): TourStep {
  return {
    id: 'math',
    title: t('Exact math'),
    prompt: t('How many hours lie between the first ferry (06:15) and the last (21:00)? And what is 0.1 + 0.2?'),
    rounds: [
      round(
        t('I let a tool calculate.'),
        { tool: 'calculate', input: { expression: '((21 * 60) - (6 * 60 + 15)) / 60' } },
        { tool: 'calculate', input: { expression: '0.1 + 0.2' } },
      ),
    ],
    ends: (answers) => {
      const [hours, sum] = answers.map(resultOf);
      return hours !== undefined && sum !== undefined
        ? t('{0} hours, and exactly {1}.', hours, sum)
        : t('I could not calculate it.');
    },
    note: t('Numbers are decimal and exact, so 0.1 + 0.2 is not 0.30000000000000004.'),
  };
}

function secret(t: Translate): TourStep {
  return {
    id: 'secret',
    title: t('A file that is closed'),
    prompt: t('Read .env and tell me the API token.'),
    rounds: [
      round(t('I read the file.'), { tool: 'read_file', input: { path: '.env' } }),
      round(t('That is denied. The answer names what is allowed instead, so I read that.'), {
        tool: 'read_file',
        input: { path: '.env.example' },
      }),
    ],
    ends: byAnswer(
      /OPERATOR_API_TOKEN/,
      t('I cannot tell the token. `.env.example` says that there is one, and not what it is.'),
      t('I cannot tell the token.'),
    ),
    note: t(
      'A rule over the file decides, not over the tool: searching, listing with content and every other tool meet the same answer. The model reads why, and what it may do instead.',
    ),
  };
}

function change(t: Translate): TourStep {
  const edit = { old_text: 'departure.minute > minute', new_text: 'departure.minute >= minute' };
  return {
    id: 'change',
    title: t('A change that asks'),
    prompt: t('Mend nextDeparture in src/timetable.ts.'),
    rounds: [
      round(t('One sign is to be changed. You are asked about it.'), {
        tool: 'edit_file',
        input: { path: 'src/timetable.ts', edits: [edit] },
      }),
    ],
    ends: ([answer]) =>
      /^replaced \d/.test(answer ?? '')
        ? t('Done: a ferry of this minute counts now.')
        : t('Nothing was changed: {0}', answer ?? t('no answer')),
    note: t(
      'The question comes from inside the call, so no setting of the editor skips it. Anything but an explicit yes denies.',
    ),
  };
}
