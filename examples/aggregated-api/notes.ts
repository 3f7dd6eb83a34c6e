import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defineAggregatedApi, defineAggregatedResource } from 'davit/aggregated';
import { follow, words, type Note, type NoteStore } from './src/note.ts';
import { NoteFile } from './src/note-file.ts';
import { NoteTable } from './src/note-table.ts';

/** The file of this machine, or the table of the account. */
function storeOf({ NOTES_FILE: file, NOTES_TABLE: table }: NodeJS.ProcessEnv): NoteStore {
  return file === undefined && table !== undefined
    ? new NoteTable(new DynamoDBClient({}), table)
    : new NoteFile(file ?? 'notes.json');
}

const notes = storeOf(process.env);

/** Notes of a store of one's own, as objects of the API. */
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
          handle: async ({ name, ...context }) => ({ contentType: 'text/plain', body: words(notes, name, context) }),
        },
        follow: {
          connect: async (session, { name, ...context }) => {
            for await (const text of follow(notes, name, context)) await session.send(text);
          },
        },
      },
    }),
  ],
});
