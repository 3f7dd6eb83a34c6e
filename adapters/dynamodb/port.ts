import type {
  AttributeValue,
  DeleteItemCommandInput,
  GetItemCommandInput,
  PutItemCommandInput,
  QueryCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';

/** What this program stores: texts, numbers, bytes, booleans. */
export type Attribute =
  | AttributeValue.SMember
  | AttributeValue.NMember
  | AttributeValue.BMember
  | AttributeValue.BOOLMember;
export type Item = Record<string, Attribute>;

type ItemNames = 'Item' | 'Key' | 'ExpressionAttributeValues' | 'ExclusiveStartKey';
type Bound<Input> = Omit<Input, 'TableName' | ItemNames> & { readonly [Name in keyof Input & ItemNames]?: Item };
type GetInput = Bound<GetItemCommandInput>;
export type QueryInput = Bound<QueryCommandInput>;
type PutInput = Bound<PutItemCommandInput>;
type UpdateInput = Bound<UpdateItemCommandInput>;
type DeleteInput = Bound<DeleteItemCommandInput>;

/** What is sent; `signedAt` (milliseconds since 1970) is the date that the request is signed with, in place of now. */
export type Call =
  | { readonly operation: 'get'; readonly input: GetInput }
  | { readonly operation: 'query'; readonly input: QueryInput }
  | { readonly operation: 'put'; readonly input: PutInput; readonly signedAt?: number }
  | { readonly operation: 'update'; readonly input: UpdateInput }
  | { readonly operation: 'delete'; readonly input: DeleteInput };

/** What an answer may hold, of all calls. */
export interface Answer {
  readonly Item?: Item | undefined;
  readonly Items?: Item[] | undefined;
  readonly LastEvaluatedKey?: Item | undefined;
  readonly Attributes?: Item | undefined;
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number | undefined } | undefined;
}

/** One DynamoDB table as this adapter uses it. No call is retried beneath it; errors have the service's names (`faults.ts`). */
export interface Table {
  get(input: GetInput): Promise<Answer>;
  query(input: QueryInput): Promise<Answer>;
  put(input: PutInput, options?: { signedAt?: number }): Promise<Answer>;
  update(input: UpdateInput): Promise<Answer>;
  delete(input: DeleteInput): Promise<Answer>;
  close(): void;
}

/** `table` with `around` about every call: it may count, delay, repeat or refuse what `next` would send. */
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
