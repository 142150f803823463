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
  // What keeps a call from being run at all.
  too_many_texts: 'the call has more than {0} text arguments, too many to judge',
  argument_unjudged: 'the argument `{0}` cannot be judged: {1}',
  argument_no_url: 'it looks like a URL and is none; give a URL such as `https://example.com/page`',
  argument_ambiguous_host:
    'programs read different hosts in it; give a URL such as `https://example.com/page`, without `\\`, control characters or a user name',
  argument_unreadable_path: 'where it leads cannot be told; give a path such as `src/app.ts`',
  argument_too_many_places: 'it names more places than can be judged; split the call',
  argument_too_deep: 'it is nested too deep; flatten it',
  mcp_secret_not_set: 'the secret `{0}` is not set; ask the user to set it',
  editor_command_refused: 'the command `{0}` of the editor is not run with this: it {1}',
  not_as_approved: '`{0}` is not what the user approved any more; ask the user to approve it again',
  module_not_read: '`{0}` could not be read with its definition; ask the user to look at it',
  mcp_files_changed:
    'the files that the MCP server `{0}` runs changed since the user approved them; ask the user to approve it again',
  mcp_tools_changed:
    'the tools of the MCP server `{0}` changed since the user approved them, so its calls are blocked; ask the user to review the change',
  mcp_not_signed_in: 'nobody signed in to the MCP server `{0}`; ask the user to start it and sign in',
  mcp_tools_not_pinned:
    'the tools of the MCP server `{0}` are not those that a signed bundle pins, so its calls are blocked',
  mcp_tools_not_approved: 'the user has not approved the tools of the MCP server `{0}`',
  mcp_switched_off: 'the MCP server `{0}` is switched off',
  mcp_rests: 'the MCP server `{0}` failed and rests; try again in {1} s',
} as const;
