import type { Event } from './base/event';
import type { Problem } from './problem';
import type { Profile } from './profile';

/** What is known of a base prompt that stands in a file. */
export type PromptText =
  | { readonly type: 'pending' }
  | { readonly type: 'read'; readonly text: string }
  /** `reason` ends a sentence that begins with the file: `does not exist`. */
  | { readonly type: 'unreadable'; readonly reason: string };

/** Reads base prompts from files; implemented on the editor's workspace and on the command line's folder. */
export interface PromptSource {
  /** Answers at once; what is not read yet is `pending`, and `onDidChange` tells when there is more to know. */
  read(path: string): PromptText;
  readonly onDidChange: Event<void>;
}

/** The most characters of a prompt file that a profile may have: a longer one would fill a model's context by itself. */
export const mostPromptCharacters = 100_000;

/** A profile's base prompt, and what is wrong with the file that should hold it. */
export interface BasePrompt {
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** Answers the base prompt of a profile: its own text, or its file's. A file that cannot be read is a problem, and the prompt is empty. */
export function basePromptOf(profile: Profile, source: PromptSource | undefined): BasePrompt {
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
  const read = source?.read(file) ?? { type: 'unreadable', reason: 'cannot be read here' };
  if (read.type !== 'unreadable') return { text: read.type === 'read' ? read.text : '', problems };
  return {
    text: '',
    problems: [
      ...problems,
      {
        severity: 'error',
        code: 'prompt_file',
        message: `the base prompt of the profile \`${profile.id}\` is missing: \`${file}\` ${read.reason}. until then the profile has no base prompt. make the file, or correct \`systemPromptFile\``,
        subject: profile.id,
      },
    ],
  };
}

/** Says whether a path of `systemPromptFile` stays inside the workspace: relative, and never going up. */
export function isInsideWorkspace(path: string): boolean {
  return path !== '' && !/^[/\\]|^[A-Za-z]:|:\/\//.test(path) && !path.split(/[/\\]/).includes('..');
}

/** What both readers answer for a text: one that is too long is refused rather than cut in the middle of an instruction. */
export function promptTextOf(text: string): PromptText {
  if (text.length <= mostPromptCharacters) return { type: 'read', text };
  return { type: 'unreadable', reason: `has ${text.length} characters, and at most ${mostPromptCharacters} are read` };
}
