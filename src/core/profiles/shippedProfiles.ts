import { parseProfile, type Profile } from './profile';

const raw: Readonly<Record<string, unknown>> = {
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
