import { ownValue } from '../base/json';
import type { Translate } from '../base/translate';
import { parseProfile, type Profile } from './profile';

type Words = Pick<Profile, 'name' | 'description'>;

const raw: Readonly<Record<string, Words & Readonly<Record<string, unknown>>>> = {
  default: {
    name: 'Default',
    description: 'Files, web, todos, time and math; changes to files ask first',
    capabilities: ['file_system', 'web_fetch', 'todo_list', 'current_time', 'math', 'capabilities'],
  },
  readOnly: {
    name: 'Read only',
    description: 'Reads files and pages, changes nothing',
    mode: 'plan',
    scopes: ['file:read', 'http:read'],
    capabilities: [
      {
        ref: 'file_system',
        tools: { write_file: false, edit_file: false, move_file: false, delete_file: false },
      },
      'web_fetch',
      'todo_list',
      'current_time',
      'math',
      'capabilities',
    ],
  },
};

/** The profiles that come with the extension; user and workspace may replace each by its id. */
export function shippedProfiles(): readonly Profile[] {
  return Object.entries(raw).map(([id, value]) => parseProfile(id, value, 'shipped').value);
}

/**
 * The name and the description of a profile as a person reads them: in their language what it was shipped with, as it
 * is written what somebody changed. What is stored, and what a model or a program reads, stays as it is.
 */
export function profileWords({ id, name, description }: Words & Pick<Profile, 'id'>, translate: Translate): Words {
  const shipped = ownValue(raw, id);
  const words = (text: string, was?: string): string => (text === was ? translate(text) : text);
  return { name: words(name, shipped?.name), description: words(description, shipped?.description) };
}
