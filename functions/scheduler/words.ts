import * as z from 'zod';

const wordSchema = z.object({ after: z.string().min(1) });
const batchSchema = z.object({ Records: z.array(z.object({ body: z.string() })).min(1) });

/** The text of a message that either checks the run `after` or is a plain trigger. */
export const wordText = (after: string | undefined, identity: string): string =>
  JSON.stringify(after === undefined ? { look: identity } : { after });

/** The runs that a batch of messages checks. Undefined if the batch contains any other message, or if the event is not a batch. */
export function looksToCheck(event: unknown): readonly string[] | undefined {
  const batch = batchSchema.safeParse(event);
  if (!batch.success) return undefined;
  const looks: string[] = [];
  for (const { body } of batch.data.Records) {
    const word = wordSchema.safeParse(parsed(body));
    if (!word.success) return undefined;
    looks.push(word.data.after);
  }
  return looks;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
