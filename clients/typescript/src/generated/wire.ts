export interface Bounds { min?: number; max?: number; count?: number }
export interface Fault { code: string; template: string; args?: Record<string, unknown> }
export interface Choice extends Bounds { title: string; id?: string; kind?: string; meta?: unknown; extra?: boolean; exclusive?: boolean; whyNot?: Fault; choices?: Choice[] }
export interface Selector extends Bounds { type: 'select' | 'action'; actor?: string; title: string; choices?: Choice[]; allowsAction?: unknown; noAutoRespond?: boolean; meta?: unknown }
export interface Prompt extends Selector { inputId: number; kind: string; until?: number; deadlineTs?: number }
export interface SeatInfo { name: string; isBot: boolean; here: boolean }
export interface Outcome { winners: number; places: number[]; reason: string }
export interface Over { outcome: Outcome; text: string; seed?: string }
export interface Snapshot { type: 'snapshot'; v: number; branchId: number; matchNo: number; view: unknown; viewHash: string; requests: Prompt[]; seats: SeatInfo[]; commitment?: string; paused?: string; over?: Over }
export interface Update { type: 'update'; v: number; branchId: number; events: unknown[]; patch: unknown[]; viewHash: string; requests?: Prompt[]; over?: Over }
