import { defineAggregatedApi, defineAggregatedResource } from 'davit/aggregated';
import { NoteFile, type Note } from './src/note-file.ts';

const notes = new NoteFile(process.env['NOTES_FILE'] ?? 'notes.json');

/** Notes of a file of one's own, as objects of the API. */
export const notesApi = defineAggregatedApi({
  name: 'notes',
  group: 'notes.example.com',
  version: 'v1',
  resources: [
    defineAggregatedResource<Note>({
      name: 'notes',
      kind: 'Note',
      shortNames: ['nt'],
      schema: {
        type: 'object',
        required: ['spec'],
        properties: {
          spec: {
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string', maxLength: 1000, description: 'The words of the note.' } },
          },
        },
      },
      storage: notes,
      columns: [{ name: 'Text', type: 'string', description: 'The words.', value: ({ spec }) => spec.text }],
      subresources: {
        words: {
          handle: async ({ name, namespace }) => ({ contentType: 'text/plain', body: notes.words(namespace, name) }),
        },
        follow: {
          connect: async (session, { name, ...context }) => {
            for await (const text of notes.follow(name, context)) await session.send(text);
          },
        },
      },
    }),
  ],
});
