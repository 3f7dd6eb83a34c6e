/** Comments must not open with these words, because they hide the subject of the sentence. */
const OPENINGS = ['what', 'who', 'whom', 'whoever', 'where there is'];

const OPENING = new RegExp(`^(?:${OPENINGS.join('|')})\\b`, 'i');
/** A block comment at the start of a line, or a line comment at the start of a line or after code and a space. */
const COMMENT = /^\s*\/\*\*?\s*(.*)$|^\s*\/\/\s*(.*)$|[;,{})\]]\s+\/\/\s+(.*)$/;
const LINE_COMMENT = /^\s*\/\//;

/** The first line of each comment in a TypeScript file, without delimiters. Consecutive line comments are one comment. */
export function comments(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const match = COMMENT.exec(line);
    if (match === null) return [];
    if (LINE_COMMENT.test(line) && LINE_COMMENT.test(lines[index - 1] ?? '')) return [];
    const own = match[1] ?? match[2] ?? match[3] ?? '';
    const first = own === '' ? (lines[index + 1] ?? '').replace(/^\s*\*?\s*/, '') : own;
    return [first.replace(/\s*\*\/\s*$/, '')];
  });
}

/** Whether a comment opens with one of these words. */
export const opensBadly = (comment: string): boolean => OPENING.test(comment);

/** The maximum length of a commit subject in characters. */
const SUBJECT = 72;

/** The commit subjects that are longer than 72 characters. */
export const longSubjects = (subjects: readonly string[]): string[] =>
  subjects.filter((subject) => [...subject].length > SUBJECT);
