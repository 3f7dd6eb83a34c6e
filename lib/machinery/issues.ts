/** A problem at one place of the input: the part of zod's issue that both of its variants have. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** One line that names all that is wrong: `path.to.field: why; …`. What is wrong as a whole has no path. */
export const issuesText = (issues: readonly Issue[]): string => issues.map(issueText).join('; ');

const issueText = ({ path, message }: Issue): string =>
  path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
