import * as vscode from 'vscode';
import { cutEnd } from '../../core/base/text';
import type { Profile } from '../../core/profiles/profile';
import type { ProfileChange } from '../../core/profiles/profileEdit';
import { chooseTools } from './chooseTools';
import type { CommandContext, CommandHandler } from './context';
import { type Choice, pickOther } from './pickOther';
import { setMode } from './profiles';
import { promptUri } from './promptFiles';
import { profileWords } from '../../core/profiles/shippedProfiles';

type Needs = 'capabilitySwitch' | 'editor' | 'profiles' | 'registry' | 'view';
type Context = Pick<CommandContext, Needs>;

interface Part {
  readonly label: string;
  readonly description: string;
  /** Answers `elsewhere` where the person goes on in another place, as in an editor. */
  edit(): Promise<unknown> | unknown;
}

/** Changes the active profile part by part, without JSON; comes back to the list after each until the person leaves. */
export const editProfile: CommandHandler<Needs> = async (context) => {
  const { id } = context.profiles.active();
  for (;;) {
    const profile = context.profiles.profiles().get(id)?.profile;
    if (!profile || context.profiles.activeId !== id) return;
    const picked = await vscode.window.showQuickPick([...partsOf(context, profile)], {
      title: vscode.l10n.t('Edit the profile {0}', profileWords(profile, vscode.l10n.t).name),
      placeHolder: vscode.l10n.t('Each change is saved at once; Esc ends'),
    });
    if (!picked || (await picked.edit()) === 'elsewhere') return;
  }
};

function partsOf(context: Context, profile: Profile): readonly Part[] {
  const active = context.profiles.active();
  const shown = profileWords(profile, vscode.l10n.t);
  const change = (what: string, how: ProfileChange): Promise<unknown> =>
    context.editor.change(profile.id, vscode.l10n.t('edit {0} of {1}', what, shown.name), how);
  const line = async (what: string, key: 'name' | 'description'): Promise<void> => {
    const value = await vscode.window.showInputBox({
      title: vscode.l10n.t('{0} of {1}', what, shown.name),
      value: profile[key],
      ignoreFocusOut: true,
      validateInput: (text) => (key === 'name' && text.trim() === '' ? vscode.l10n.t('A name is needed') : undefined),
    });
    if (value !== undefined) await change(what, (one) => ({ ...one, [key]: value.trim() }));
  };
  const [name, description] = [vscode.l10n.t('Name'), vscode.l10n.t('Description')];
  const [prompt, scopes] = [vscode.l10n.t('Prompt'), vscode.l10n.t('Scopes')];
  return [
    { label: `$(tag) ${name}`, description: shown.name, edit: () => line(name, 'name') },
    {
      label: `$(note) ${description}`,
      description: shown.description,
      edit: () => line(description, 'description'),
    },
    {
      label: `$(comment) ${prompt}`,
      description:
        profile.systemPromptFile === undefined
          ? firstLine(profile.systemPrompt)
          : vscode.l10n.t('in the file {0}', profile.systemPromptFile),
      edit: () => editPrompt(profile),
    },
    {
      label: `$(shield) ${vscode.l10n.t('Mode')}`,
      description: profile.mode,
      edit: () => setMode(context),
    },
    {
      label: `$(key) ${scopes}`,
      description: profile.scopes?.join(', ') ?? vscode.l10n.t('what its tools need'),
      edit: async () => {
        const wanted = await chooseScopes(context, profile);
        if (!wanted) return;
        const listed = wanted === 'needed' ? {} : { scopes: wanted };
        await change(scopes, ({ scopes: _before, ...rest }) => ({ ...rest, ...listed }));
      },
    },
    {
      label: `$(checklist) ${vscode.l10n.t('Tools')}`,
      description: vscode.l10n.t('{0} on', active.tools.length),
      edit: () => chooseTools(context),
    },
  ];
}

/** A prompt has many lines, so it is written in an editor, as a file that is saved like any other. */
async function editPrompt(profile: Profile): Promise<'elsewhere'> {
  const { systemPromptFile: file } = profile;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (file !== undefined && folder) {
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, file));
    return 'elsewhere';
  }
  const document = await vscode.workspace.openTextDocument(promptUri(profile));
  await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, 'markdown'), {
    preview: false,
  });
  return 'elsewhere';
}

/** The scopes to list; `needed` for none listed, by which each tool gets what it needs. */
async function chooseScopes(
  { registry }: Context,
  profile: Profile,
): Promise<readonly string[] | 'needed' | undefined> {
  const choices: readonly Choice<'needed' | 'listed'>[] = [
    { label: vscode.l10n.t('What its tools need'), id: 'needed' },
    {
      label: vscode.l10n.t('Only These…'),
      description: vscode.l10n.t('a tool that needs another one is refused'),
      id: 'listed',
    },
  ];
  const current = profile.scopes === undefined ? 'needed' : 'listed';
  const answer = await pickOther(
    choices,
    current,
    vscode.l10n.t('Scopes of {0}', profileWords(profile, vscode.l10n.t).name),
  );
  if (answer !== 'listed') return answer;
  const known = new Set([
    ...(profile.scopes ?? []),
    ...registry.tools().flatMap(({ definition }) => definition.scopes),
  ]);
  const items = [...known].sort().map((label) => ({ label, picked: profile.scopes?.includes(label) ?? false }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Scopes of {0}', profileWords(profile, vscode.l10n.t).name),
    canPickMany: true,
  });
  return picked?.map(({ label }) => label);
}

const firstLine = (text: string): string => cutEnd(text.trim().split('\n')[0] ?? '', 60);
