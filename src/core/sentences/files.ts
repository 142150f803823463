/** What is wrong with the text of a JSON file. */
export const fileSentences = {
  file_long: 'the file has {0} characters, more than {1}',
  file_deep: 'the file is nested more than {0} levels deep',
  file_no_json: 'not valid JSON: {0}',
  file_no_text: 'the file holds bytes that are not UTF-8',
  file_empty: 'the file is empty, but a JSON value was expected',
  duplicate_property: 'the property `{0}` is there twice; the last one counts',
  forbidden_property: 'the property `{0}` is not allowed and is left out',
  plan_no_json: 'the plan is not JSON: {0}',
} as const;
