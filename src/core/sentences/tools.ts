/**
 * What built-in tools say most often of a failure, for models and for the record. What stands in a file, came from a
 * server or is a value of the call is marked in them as `content`, of which the record keeps the length alone.
 */
export const toolSentences = {
  nothing_at:
    'nothing is at `{0}`; list_directory or find_files show what there is (a leading / is the workspace root)',
  nothing_at_folder: 'nothing is at `{0}`; list_directory of / shows what there is',
  folder_not_file: '`{0}` is a folder; give the path of a file',
  folder_to_list: '`{0}` is a folder; list_directory shows what is in it',
  file_not_folder: '`{0}` is a file; read_file shows its content',
  file_there: '`{0}` is there already; use mode overwrite to replace it',
  file_there_or_edit: '`{0}` is there already; use mode overwrite to replace it or edit_file to change a part',
  file_read_only: '`{0}` is read-only; ask the user to make it writable',
  file_unreadable_as_text:
    '`{0}` is not text ({1}, {2} bytes); set encoding to base64 to read its bytes, or do without its content',
  file_changed_since_read:
    '`{0}` has changed since it was read (its hash is {1} now); read it again and redo the change',
  file_changed_since_asked:
    '`{0}` has changed since the user was asked about this change, so it was not made; read it again and redo the change',
  no_edit_made: '{0} (no edit was made)',
  old_text_done: '{0}: old_text is not in `{1}`; new_text is there already, so the edit seems done',
  old_text_nowhere: '{0}: old_text is not in `{1}`; nothing like it is there, so read the file again',
  old_text_near: '{0}: old_text is not in `{1}`; the nearest place is line {2}, {3}',
  old_text_count:
    '{0}: old_text is in `{1}` {2} times, {3} expected (lines {4}); give more of the text around it, or set expected_count to {2} or replace_all to true',
  code_late: 'the code did not finish within {0} ms and was ended',
  mcp_answered_error: 'the MCP server `{0}` answered with an error: {1}',
} as const;
