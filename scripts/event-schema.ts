import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import { changeEventSchema } from '#lib/stream/event-schema.ts';

/** Writes docs/events.schema.json. */
writeFileSync(
  'docs/events.schema.json',
  `${JSON.stringify(z.toJSONSchema(changeEventSchema, { io: 'input' }), null, 2)}\n`,
);
