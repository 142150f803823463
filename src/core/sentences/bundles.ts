/** What is told of signed bundles of policy. */
export const bundleSentences = {
  bundle_name:
    'must be 1 to 64 of the characters a to z, 0 to 9, `.`, `_` and `-`, and begin with a letter or digit (got `{0}`)',

  bundle_large: 'it has {0} bytes and at most {1} are read',
  bundle_no_envelope: 'it is no signed bundle',
  bundle_rewritten: 'its envelope is not written as signing writes it',
  bundle_other_type: 'its payload is of the type `{0}`, not `{1}`',
  bundle_other_key: 'it is signed with another key: its id is `{0}`, that of the given key `{1}`',
  bundle_signature: 'its signature does not fit its content',
  bundle_no_text: 'its payload is no UTF-8 text',
  bundle_fault: '{0} (at `{1}`)',
  bundle_other_name: 'it is called `{0}`, not `{1}`',
  bundle_older: 'its revision {0} is older than {1}, which was in force here',
  bundle_two_of_one: 'it is another bundle of revision {0}, which was in force here; a change needs a higher revision',
  bundle_is_expired: 'it expired on {0}',
  bundle_payload: 'the payload',
  bundle_no_json: 'the payload must be JSON without comments',
  bundle_time: 'must be a time in UTC such as `2027-01-31T00:00:00Z` (got `{0}`)',
  bundle_times: 'must be later than `issued`',
  bundle_revision: 'must be a whole number from 1 (got {0})',
  bundle_no_setting: 'is not a setting that a bundle can hold',
  bundle_sha256: 'must be a SHA-256 as 64 hexadecimal digits in lower case (got `{0}`)',
  bundle_definition_name: 'must be the name of a definition file without a folder, such as `deploy.capability.json`',
  bundle_swapped: 'has the SHA-256 {0}, not the one beside it',
} as const;
