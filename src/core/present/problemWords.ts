import type { Problem } from '../base/problem';
import { worded } from '../base/sentence';
import type { Translate } from '../base/translate';

type Say = (t: Translate, ...values: readonly string[]) => string;

/**
 * The messages of problems about profiles and settings, by their code: the English sentence as a pattern and how it is
 * said to people. A pattern's groups are the values, in order. `\n` never occurs in a message.
 */
const sentences: Readonly<Record<string, readonly (readonly [RegExp, Say])[]>> = {
  unknown_profile: [
    [
      /^there is no profile `(.*?)`(.*); until one is chosen nothing is allowed$/,
      (t, id = '', near = '') =>
        t('there is no profile `{0}`{1}; until one is chosen nothing is allowed', id, nearWords(near, t)),
    ],
  ],
  unknown_capability: [
    [
      /^the profile `(.*?)` names `(.*?)`, which is not a capability(.*)$/,
      (t, id = '', ref = '', near = '') =>
        t('the profile `{0}` names `{1}`, which is not a capability{2}', id, ref, nearWords(near, t)),
    ],
  ],
  unknown_tool: [
    [
      /^the profile `(.*?)` names the tool `(.*?)`, which `(.*?)` does not have(.*)$/,
      (t, id = '', tool = '', capability = '', near = '') =>
        t(
          'the profile `{0}` names the tool `{1}`, which `{2}` does not have{3}',
          id,
          tool,
          capability,
          nearWords(near, t),
        ),
    ],
  ],
  duplicate_capability: [
    [
      /^the profile `(.*?)` names `(.*?)` twice, once as `(.*?)`; the first one counts$/,
      (t, id = '', capability = '', ref = '') =>
        t('the profile `{0}` names `{1}` twice, once as `{2}`; the first one counts', id, capability, ref),
    ],
  ],
  dependency_off: [
    [
      /^`(.*?)` needs `(.*?)`, which is off in the profile `(.*?)`$/,
      (t, one = '', needed = '', id = '') => t('`{0}` needs `{1}`, which is off in the profile `{2}`', one, needed, id),
    ],
  ],
  dependency_missing: [
    [
      /^`(.*?)` needs `(.*?)`, which is not a capability(.*)$/,
      (t, one = '', needed = '', near = '') =>
        t('`{0}` needs `{1}`, which is not a capability{2}', one, needed, nearWords(near, t)),
    ],
  ],
  dependency_cycle: [
    [
      /^the dependencies (.*) go round in a circle; take one of them out$/,
      (t, ids = '') => t('the dependencies {0} go round in a circle; take one of them out', ids),
    ],
  ],
  active_profile_pending: [
    [
      /^this workspace asks for the profile `(.*?)`, which allows more than `(.*?)` of your own settings; it becomes active when you accept it or switch to it$/,
      (t, wanted = '', own = '') =>
        t(
          'this workspace asks for the profile `{0}`, which allows more than `{1}` of your own settings; it becomes active when you accept it or switch to it',
          wanted,
          own,
        ),
    ],
  ],
  widening_pending: [
    [
      /^the workspace's profile `(.*?)` allows more than your own settings; until you accept it, only what both allow is on$/,
      (t, id = '') =>
        t(
          "the workspace's profile `{0}` allows more than your own settings; until you accept it, only what both allow is on",
          id,
        ),
    ],
  ],
  two_base_prompts: [
    [
      /^the profile `(.*?)` has both `systemPrompt` and `systemPromptFile`; the file counts\. take one of them out$/,
      (t, id = '') =>
        t(
          'the profile `{0}` has both `systemPrompt` and `systemPromptFile`; the file counts. take one of them out',
          id,
        ),
    ],
  ],
  invalid_configuration: [
    [
      /^the profile `(.*?)` configures `(.*?)`, which takes no configuration$/,
      (t, id = '', capability = '') =>
        t('the profile `{0}` configures `{1}`, which takes no configuration', id, capability),
    ],
    [
      /^the profile `(.*?)` configures `(.*?)`: (.*)$/,
      (t, id = '', capability = '', fault = '') => t('the profile `{0}` configures `{1}`: {2}', id, capability, fault),
    ],
  ],
  name_clash: [
    [
      /^`(.*?)` and `(.*?)` share the name `(.*?)`; the first in the profile's order keeps it and the other is left out$/,
      (t, one = '', other = '', name = '') =>
        t(
          "`{0}` and `{1}` share the name `{2}`; the first in the profile's order keeps it and the other is left out",
          one,
          other,
          name,
        ),
    ],
  ],
  invalid_profile: [
    [/^the profile `(.*?)`: (.*)$/, (t, id = '', fault = '') => t('the profile `{0}`: {1}', id, fault)],
  ],
  unknown_setting: [
    [
      /^`(.*?)` in the (user|workspace|managed) settings is not a setting(.*)$/,
      (t, key = '', scope = '', near = '') =>
        t('`{0}` in the {1} settings is not a setting{2}', key, scope, nearWords(near, t)),
    ],
  ],
  setting_ignored: [
    [
      /^`(.*?)` counts in user settings only; the workspace's value is ignored$/,
      (t, key = '') => t("`{0}` counts in user settings only; the workspace's value is ignored", key),
    ],
  ],
};

/** `; did you mean …` of an English message. */
function nearWords(near: string, t: Translate): string {
  const names = /^; did you mean (.*)$/.exec(near)?.[1];
  return names === undefined ? near : t('; did you mean {0}', names);
}

/**
 * The message of a problem in the person's language. Problems are kept and logged in English; one that is not known
 * here, such as of a definition's schema, stays English rather than being guessed.
 */
export function problemWords({ code, said, message, args }: Problem, t: Translate): string {
  if (said) return worded(said, t);
  if (args && code === 'configuration_held') return heldWords(args, t);
  const words = args && (promptWords(code, args, t) ?? agentFileWords(code, args, t));
  if (words !== undefined) return words;
  for (const [pattern, say] of sentences[code] ?? []) {
    const match = pattern.exec(message);
    if (match) return say(t, ...match.slice(1));
  }
  return message;
}

/** What is said of a base prompt that stands in a file: the profile, the file and what stands in the way. */
function promptWords(
  code: string,
  [id = '', file = '', what = '', more = '']: readonly string[],
  t: Translate,
): string | undefined {
  switch (code) {
    case 'prompt_file':
      return t(
        'the base prompt of the profile `{0}` is missing: `{1}` {2}. until then the profile has no base prompt. make the file, or correct `systemPromptFile`',
        id,
        file,
        promptFaultWords(what, more, t),
      );
    case 'prompt_denied':
      return t(
        'the base prompt of the profile `{0}` is left out: agents may not read `{1}` (boundary `{2}`)',
        id,
        file,
        what,
      );
    case 'prompt_asks':
      return t(
        'the base prompt of the profile `{0}` is left out: agents are asked before they read `{1}` (boundary `{2}`)',
        id,
        file,
        what,
      );
    case 'prompt_pending':
      return t(
        'the base prompt of the profile `{0}` waits: the text of `{1}` counts once you have read and accepted it',
        id,
        file,
      );
    case 'prompt_own':
      return t(
        'the base prompt of the profile `{0}` is your own: that of a workspace that is not trusted is left out',
        id,
      );
    case 'prompt_untrusted':
      return t(
        'the base prompt of the profile `{0}` is left out: `{1}` is not read in a workspace that is not trusted',
        id,
        file,
      );
  }
  return undefined;
}

function heldWords([id = '', key = '', capability = '', order = '']: readonly string[], t: Translate): string {
  return order === ''
    ? t(
        "the workspace's profile `{0}` sets `{1}` of `{2}`, and it is not the workspace's to change; it counts once you accept the profile",
        id,
        key,
        capability,
      )
    : t(
        "the workspace's profile `{0}` sets `{1}` of `{2}`, and your own value is stricter; it counts once you accept the profile",
        id,
        key,
        capability,
      );
}

function promptFaultWords(code: string, more: string, t: Translate): string {
  switch (code) {
    case 'missing':
      return t('does not exist');
    case 'not_a_path':
      return t('is not a path inside the workspace');
    case 'outside':
      return t('leads out of the workspace');
    case 'not_a_file':
      return t('is not a file');
    case 'not_text':
      return t('is not text in UTF-8');
    case 'no_folder':
      return t('cannot be read without an open folder');
    case 'no_folder_name':
      return t('must begin with the name of a workspace folder');
    case 'too_long':
      return t('has more than {0} characters', more);
    case 'unavailable':
      return t('cannot be read here');
    default:
      return t('cannot be read ({0})', more);
  }
}

/** What is said of an agent that could not be written into the workspace. */
function agentFileWords(
  code: string,
  [file = '', fault = '', term = '']: readonly string[],
  t: Translate,
): string | undefined {
  if (code !== 'agent_file') return undefined;
  const why = agentFaultWords(fault, t);
  return term === 'window'
    ? t(
        '`{0}` was not written into the workspace: {1}. the agent among your own holds your own parts alone; @capabilities uses all of the profile',
        file,
        why,
      )
    : t(
        '`{0}` was not written into the workspace: {1}. there is no custom agent; @capabilities uses all of the profile',
        file,
        why,
      );
}

function agentFaultWords(fault: string, t: Translate): string {
  switch (fault) {
    case 'link':
      return t('a part of its path is a link');
    case 'taken':
      return t('another file stands there');
    case 'ignore_taken':
      return t('the `.gitignore` beside it is not ours, so git would see it');
    default:
      return t('the folder cannot be written');
  }
}
