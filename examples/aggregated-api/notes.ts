import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defineAggregatedApi, defineAggregatedResource } from '@davit-dev/davit/aggregated';
import { follow, type Note, type NoteStore, words } from './src/note.ts';
import { NoteFile } from './src/note-file.ts';
import { NoteTable } from './src/note-table.ts';

/** A local file, or a table in a Lambda function, because its instances share no disk. */
function storeOf(environment: NodeJS.ProcessEnv): NoteStore {
  const { NOTES_FILE: file = 'notes.json', NOTES_TABLE: table, AWS_LAMBDA_FUNCTION_NAME: lambda } = environment;
  return lambda === undefined || table === undefined
    ? new NoteFile(file)
    : new NoteTable(new DynamoDBClient({}), table);
}

const notes = storeOf(process.env);

/** Serves the notes in your own store as objects of the API. */
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
