import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { Profile } from './profile';

/** Why a prompt file cannot be read, by a stable code. */
export type PromptFault =
  | {
      readonly code:
        | 'not_a_path'
        | 'outside'
        | 'missing'
        | 'not_a_file'
        | 'not_text'
        | 'no_folder'
        | 'no_folder_name'
        | 'unavailable';
    }
  | { readonly code: 'too_long'; readonly most: number }
  /** `detail` is the code of the error that the file system answered. */
  | { readonly code: 'failed'; readonly detail: string };

/** What is known of a base prompt that stands in a file. Only `read` has a text that a model may get. */
export type PromptText =
  | { readonly type: 'pending' }
  | { readonly type: 'read'; readonly text: string }
  | { readonly type: 'unreadable'; readonly fault: PromptFault }
  /** An agent may not read the file, or not without being asked, so its instructions do not hold it either. */
  | { readonly type: 'forbidden'; readonly effect: 'ask' | 'deny'; readonly rule: string }
  /** Nobody has accepted this very text for instructions. */
  | { readonly type: 'unaccepted' }
  | { readonly type: 'untrusted' };

/** Reads base prompts from files of the workspace. */
export interface PromptSource {
  /** Answers at once; what is not read yet is `pending`. */
  read(path: string, profile: Profile): PromptText;
}

/**
 * The most characters of a prompt file that a profile may have: a longer one would fill a model's context by itself.
 */
export const mostPromptCharacters = 100_000;

/** A profile's base prompt, and what is wrong with the file that should hold it. */
export interface BasePrompt {
  readonly text: string;
  readonly problems: readonly Problem[];
}

/**
 * Answers the base prompt of a profile: its own text, or its file's. A file that says nothing is a problem, and the
 * prompt is empty.
 */
export function basePromptOf(profile: Profile, source: PromptSource | undefined, own?: OwnPrompt): BasePrompt {
  if (own && profile.origin === 'workspace' && !own.isTrusted()) return ownPromptOf(profile, own);
  const file = profile.systemPromptFile;
  if (file === undefined) return { text: profile.systemPrompt, problems: [] };
  const problems: Problem[] = [];
  if (profile.systemPrompt !== '')
    problems.push(problem({ severity: 'warning', said: say('two_base_prompts', profile.id), subject: profile.id }));
  const read = source?.read(file, profile) ?? { type: 'unreadable', fault: { code: 'unavailable' } };
  const fault = promptProblem(profile.id, file, read);
  return { text: read.type === 'read' ? read.text : '', problems: fault ? [...problems, fault] : problems };
}

/** What stands in for the prompts of a workspace that is not trusted. */
interface OwnPrompt {
  readonly isTrusted: () => boolean;
  /** The base prompt of the user's own profile of this id, where there is one. */
  readonly text: (profileId: string) => string;
}

/** In a workspace that is not trusted the words are the user's own, whatever was accepted before. */
function ownPromptOf({ id, systemPrompt, systemPromptFile }: Profile, own: OwnPrompt): BasePrompt {
  const text = own.text(id);
  if (systemPromptFile === undefined && systemPrompt === text) return { text, problems: [] };
  return { text, problems: [problem({ severity: 'warning', said: say('prompt_own', id), subject: id })] };
}

/**
 * What a person should know of a prompt file that says nothing to the model; undefined where there is nothing to tell.
 */
function promptProblem(id: string, file: string, read: PromptText): Problem | undefined {
  switch (read.type) {
    case 'pending':
    case 'read':
      return undefined;
    case 'unreadable':
      return problem({ severity: 'error', said: say('prompt_file', id, file, faultOf(read.fault)), subject: id });
    case 'forbidden': {
      const said = say(read.effect === 'deny' ? 'prompt_denied' : 'prompt_asks', id, file, read.rule);
      return problem({ severity: 'warning', said, subject: id });
    }
    case 'unaccepted':
      return problem({ severity: 'warning', said: say('prompt_pending', id, file), subject: id });
    case 'untrusted':
      return problem({ severity: 'warning', said: say('prompt_untrusted', id, file), subject: id });
  }
}

/** Ends a sentence that begins with the file: `does not exist`. */
function faultOf(fault: PromptFault): Sentence {
  switch (fault.code) {
    case 'too_long':
      return say('prompt_too_long', fault.most);
    case 'failed':
      return say('prompt_failed', fault.detail);
    default:
      return say(`prompt_${fault.code}`);
  }
}
