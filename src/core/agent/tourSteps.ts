import { isObject, type JsonObject } from '../base/json';
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

/** Whether a call was carried out: its answer holds what only that answer does. */
const holds = (answer: string | undefined, mark: RegExp): boolean => answer !== undefined && mark.test(answer);

/** The result of a calculation. */
function resultOf(answer: string): string | undefined {
  try {
    const payload: unknown = JSON.parse(answer);
    return isObject(payload) ? String(payload['result']) : undefined;
  } catch {
    return undefined;
  }
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
      {
        says: t('I search the project for it.'),
        calls: [{ tool: 'grep_files', input: { pattern: 'nextDeparture', path: 'src' } }],
      },
      { says: t('Now I read the file.'), calls: [{ tool: 'read_file', input: { path: 'src/timetable.ts' } }] },
    ],
    ends: ([file]) =>
      holds(file, /function nextDeparture/)
        ? t(
            'It is `nextDeparture` in `src/timetable.ts`. A comment there names a problem: a ferry that leaves this very minute is missed.',
          )
        : t('I was not allowed to read it.'),
    note: t('Reading within the workspace asks nobody. Both calls went through the gate and stand in the record.'),
  };
}

function page(t: Translate, site: string): TourStep {
  return {
    id: 'page',
    title: t('A page as markdown'),
    prompt: t('What does the ferry company say about a ferry that leaves this very minute? Fetch {0}', site),
    rounds: [
      { says: t('I fetch the page.'), calls: [{ tool: 'web_fetch', input: { url: site, format: 'markdown' } }] },
    ],
    ends: ([answer]) =>
      holds(answer, /1439/) ? t('A ferry that leaves this very minute still counts.') : t('I could not read the page.'),
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
      {
        says: t('Two are done, one is left.'),
        calls: [
          {
            tool: 'write_todos',
            input: {
              todos: steps.map((content, at) => ({ content, status: at < 2 ? 'completed' : 'in_progress' })),
            },
          },
        ],
      },
    ],
    ends: ([answer]) =>
      holds(answer, /^\d+ of \d+ completed/) ? t('The list is written.') : t('The list was not written.'),
    note: t('The list is yours, too: the Todos view shows it, and the agent is told what you change in it.'),
  };
}

function math(t: Translate): TourStep {
  return {
    id: 'math',
    title: t('Exact math'),
    prompt: t('How many hours lie between the first ferry (06:15) and the last (21:00)? And what is 0.1 + 0.2?'),
    rounds: [
      {
        says: t('I let a tool calculate.'),
        calls: [
          { tool: 'calculate', input: { expression: '((21 * 60) - (6 * 60 + 15)) / 60' } },
          { tool: 'calculate', input: { expression: '0.1 + 0.2' } },
        ],
      },
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
      { says: t('I read the file.'), calls: [{ tool: 'read_file', input: { path: '.env' } }] },
      {
        says: t('That is denied. The answer names what is allowed instead, so I read that.'),
        calls: [{ tool: 'read_file', input: { path: '.env.example' } }],
      },
    ],
    ends: ([answer]) =>
      holds(answer, /OPERATOR_API_TOKEN/)
        ? t('I cannot tell the token. `.env.example` says that there is one, and not what it is.')
        : t('I cannot tell the token.'),
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
      {
        says: t('One sign is to be changed. You are asked about it.'),
        calls: [{ tool: 'edit_file', input: { path: 'src/timetable.ts', edits: [edit] } }],
      },
    ],
    ends: ([answer]) =>
      holds(answer, /^replaced \d/)
        ? t('Done: a ferry of this minute counts now.')
        : t('Nothing was changed: {0}', answer ?? t('no answer')),
    note: t(
      'The question comes from inside the call, so no setting of the editor skips it. Anything but an explicit yes denies.',
    ),
  };
}
