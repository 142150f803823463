import { say, type Sentence } from '../base/sentence';

/** How many records were lost, as a part of a sentence. */
export const recordsSaid = (count: number): Sentence =>
  count === 1 ? say('audit_one_record') : say('audit_records', count);

/** How many segments went, as a part of a sentence. */
export const segmentsSaid = (count: number): Sentence =>
  count === 1 ? say('audit_one_segment') : say('audit_segments', count);
