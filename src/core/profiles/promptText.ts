import type { Event } from '../base/event';
import type { Problem } from '../base/problem';
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
  /** Answers at once; what is not read yet is `pending`, and `onDidChange` tells when there is more to know. */
  read(path: string, profile: Profile): PromptText;
  readonly onDidChange: Event<void>;
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
    problems.push({
      severity: 'warning',
      code: 'two_base_prompts',
      message: `the profile \`${profile.id}\` has both \`systemPrompt\` and \`systemPromptFile\`; the file counts. take one of them out`,
      subject: profile.id,
    });
  const read = source?.read(file, profile) ?? { type: 'unreadable', fault: { code: 'unavailable' } };
  const problem = promptProblem(profile.id, file, read);
  return { text: read.type === 'read' ? read.text : '', problems: problem ? [...problems, problem] : problems };
}

/** What stands in for the prompts of a workspace that is not trusted. */
export interface OwnPrompt {
  readonly isTrusted: () => boolean;
  /** The base prompt of the user's own profile of this id, where there is one. */
  readonly text: (profileId: string) => string;
}

/** In a workspace that is not trusted the words are the user's own, whatever was accepted before. */
function ownPromptOf({ id, systemPrompt, systemPromptFile }: Profile, own: OwnPrompt): BasePrompt {
  const text = own.text(id);
  if (systemPromptFile === undefined && systemPrompt === text) return { text, problems: [] };
  const message = `the base prompt of the profile \`${id}\` is your own: that of a workspace that is not trusted is left out`;
  return { text, problems: [{ severity: 'warning', code: 'prompt_own', message, args: [id], subject: id }] };
}

/**
 * What a person should know of a prompt file that says nothing to the model; undefined where there is nothing to tell.
 */
function promptProblem(id: string, file: string, read: PromptText): Problem | undefined {
  const what = `the base prompt of the profile \`${id}\``;
  const told = (
    code: string,
    args: readonly string[],
    message: string,
    severity: Problem['severity'] = 'warning',
  ): Problem => ({
    severity,
    code,
    message,
    args: [id, file, ...args],
    subject: id,
  });
  switch (read.type) {
    case 'pending':
    case 'read':
      return undefined;
    case 'unreadable': {
      const { fault } = read;
      const more = fault.code === 'too_long' ? [String(fault.most)] : fault.code === 'failed' ? [fault.detail] : [];
      const message = `${what} is missing: \`${file}\` ${faultWords(fault)}. until then the profile has no base prompt. make the file, or correct \`systemPromptFile\``;
      return told('prompt_file', [fault.code, ...more], message, 'error');
    }
    case 'forbidden':
      return read.effect === 'deny'
        ? told(
            'prompt_denied',
            [read.rule],
            `${what} is left out: agents may not read \`${file}\` (boundary \`${read.rule}\`)`,
          )
        : told(
            'prompt_asks',
            [read.rule],
            `${what} is left out: agents are asked before they read \`${file}\` (boundary \`${read.rule}\`)`,
          );
    case 'unaccepted':
      return told(
        'prompt_pending',
        [],
        `${what} waits: the text of \`${file}\` counts once you have read and accepted it`,
      );
    case 'untrusted':
      return told(
        'prompt_untrusted',
        [],
        `${what} is left out: \`${file}\` is not read in a workspace that is not trusted`,
      );
  }
}

/** Ends a sentence that begins with the file: `does not exist`. */
function faultWords(fault: PromptFault): string {
  switch (fault.code) {
    case 'missing':
      return 'does not exist';
    case 'not_a_path':
      return 'is not a path inside the workspace';
    case 'outside':
      return 'leads out of the workspace';
    case 'not_a_file':
      return 'is not a file';
    case 'not_text':
      return 'is not text in UTF-8';
    case 'no_folder':
      return 'cannot be read without an open folder';
    case 'no_folder_name':
      return 'must begin with the name of a workspace folder';
    case 'unavailable':
      return 'cannot be read here';
    case 'too_long':
      return `has more than ${fault.most} characters`;
    case 'failed':
      return `cannot be read (${fault.detail})`;
  }
}
