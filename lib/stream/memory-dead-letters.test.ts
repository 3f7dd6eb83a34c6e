import { describe } from 'vitest';
import { deadLettersConformance } from './dead-letters.conformance.ts';
import { MemoryDeadLetters } from './memory-dead-letters.ts';

describe('MemoryDeadLetters as dead letters', () => {
  deadLettersConformance(async () => new MemoryDeadLetters());
});
