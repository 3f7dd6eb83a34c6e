import type {
  AttributeValue,
  DeleteItemCommandInput,
  DeleteItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';

/** An item: attribute values by name. */
export type Item = Record<string, AttributeValue>;
type Bound<Input> = Omit<Input, 'TableName'>;
type GetInput = Bound<GetItemCommandInput>;
/** A query without the table name. */
export type QueryInput = Bound<QueryCommandInput>;
type PutInput = Bound<PutItemCommandInput>;
type UpdateInput = Bound<UpdateItemCommandInput>;
type DeleteInput = Bound<DeleteItemCommandInput>;

/** A call to DynamoDB. `signedAt` (milliseconds since 1970) replaces the current time as the signing date. */
export type Call =
  | { readonly operation: 'get'; readonly input: GetInput }
  | { readonly operation: 'query'; readonly input: QueryInput }
  | { readonly operation: 'put'; readonly input: PutInput; readonly signedAt?: number }
  | { readonly operation: 'update'; readonly input: UpdateInput }
  | { readonly operation: 'delete'; readonly input: DeleteInput };

/** One DynamoDB table, as this adapter uses it. An implementation does not retry calls, and throws the SDK's errors. */
export interface Table {
  get(input: GetInput): Promise<GetItemCommandOutput>;
  query(input: QueryInput): Promise<QueryCommandOutput>;
  put(input: PutInput, options?: { signedAt?: number }): Promise<PutItemCommandOutput>;
  update(input: UpdateInput): Promise<UpdateItemCommandOutput>;
  delete(input: DeleteInput): Promise<DeleteItemCommandOutput>;
  close(): void;
}

/** Wraps every call of `table` with `around`, which may count, delay, repeat or reject the call that `next` sends. */
export function intercept(table: Table, around: <T>(call: Call, next: () => Promise<T>) => Promise<T>): Table {
  return {
    get: (input) => around({ operation: 'get', input }, () => table.get(input)),
    query: (input) => around({ operation: 'query', input }, () => table.query(input)),
    put: (input, options) => around({ operation: 'put', input, ...options }, () => table.put(input, options)),
    update: (input) => around({ operation: 'update', input }, () => table.update(input)),
    delete: (input) => around({ operation: 'delete', input }, () => table.delete(input)),
    close: () => table.close(),
  };
}
