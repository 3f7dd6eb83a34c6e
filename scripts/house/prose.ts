/** Comments do not open with these words: they hide the subject of the sentence. */
const OPENINGS = ['what', 'who', 'whom', 'whoever', 'where there is'];

const OPENING = new RegExp(`^(?:${OPENINGS.join('|')})\\b`, 'i');
/** A block comment that begins a line, or a line comment that begins a line or follows code and a blank. */
const COMMENT = /^\s*\/\*\*?\s*(.*)$|^\s*\/\/\s*(.*)$|[;,{})\]]\s+\/\/\s+(.*)$/;
const LINE_COMMENT = /^\s*\/\//;

/** The first line of each comment of a TypeScript file, without its marks. Line comments that follow each other are one comment. */
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

/** Whether a comment opens with a word of the list. */
export const opensBadly = (comment: string): boolean => OPENING.test(comment);

/** The bound of a commit's subject, in characters. */
const SUBJECT = 72;

/** The subjects of commits that are longer than 72 characters. */
export const longSubjects = (subjects: readonly string[]): string[] =>
  subjects.filter((subject) => [...subject].length > SUBJECT);
