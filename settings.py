"""Settings of this CounterCase workspace: literal constants only, read and never run.

A line that is taken out falls back to the default. `COUNTERCASE_<NAME>` in the
environment and flags on the command line win over this file.
"""

RANKERS = ("dpr", "chroma", "lexical", "quotations")  # channels that RRF fuses
QUERY_READING = "segments"  # how a narrative is read: per segment, or as one vector (classic)
SEARCH = "exact"  # how chunks are found: all compared, or candidates from Chroma
RRF_K = 20  # the k of 1 / (k + rank) in rank fusion
DPR_WEIGHT = 0.5  # weight of the DPR channel in the fusion
CHROMA_WEIGHT = 0.2  # weight of the Chroma channel in fusion
LEXICAL_WEIGHT = 1.0  # weight of the lexical channel in fusion
MMR_LAMBDA = 0.7  # relevance against novelty in MMR: 1 is relevance alone
MMR_HEAD = 45  # cases of the fused head that MMR chooses from
RERANK_POOL = 30  # cases that MMR hands to the cross-encoder
RERANK_WEIGHT = 0.3  # the cross-encoder's vote beside the channels' in the final ranking
CONTRAST_WEIGHT = 0.6  # gain of a decision for a point on its side; 0: none
RERANK_SEGMENTS = 40  # most segments of a narrative that the cross-encoder reads
TOP_K = 10  # precedents of a ranking; the K of K + 1
USE_MMR = True  # whether stage 4 (MMR) runs
USE_RERANKER = True  # whether stage 5 (the cross-encoder) runs
RERANKER = "apart"  # how the cross-encoder reads a segment and a chunk: alone or together
STANDOUT_Z = 2.5  # standard deviations above the corpus at which a match counts (log10 n)
HUBNESS_WEIGHT = 0.5  # share of a judgment's mean best cosine that is taken off
PROVISION_WEIGHT = 11.0  # of a cited provision beside BM25
STATEMENT_POWER = 1.5  # power of the salience by which statements weigh; 0: all alike
STATEMENT_WEIGHT = 1.5  # weight of a statement of salience 1 beside the residue's 1
NEAR_DUPLICATE = 0.98  # cosine of the case itself again
CHUNK_PIECES = 200  # word pieces of a chunk, about
SEGMENT_PIECES = 128  # most word pieces of a segment
PAIR_PIECES = 384  # most word pieces of a scored pair
DEPTH = 2  # edits on the longest path of the tree
MAX_CHILDREN = 24  # what-ifs tried at one state below the case as it is
MAX_STATES = 160  # states of a tree, at most; at least one of every fact
MIN_DISPLACEMENT = 1.0  # mean displacement below which a branch is not grown
DISPOSITIVE_THRESHOLD = 1.5  # mean displacement above which a fact is called dispositive
NULL_EDITS = 40  # restatements measured to learn how far words alone move a ranking
MAX_CHARACTERS = 300_000  # longest narrative, in characters
MAX_SENTENCES = 3_000  # longest narrative, in sentences
MAX_INPUT_BYTES = 20_000_000  # largest case file, in bytes
FACT_TAGGER = True  # whether the trained tagger names parties, courts, witnesses and dates
THREADS = 0  # threads of the encoders; 0: one per core
PRECISION = "auto"  # arithmetic of the encoders; auto: bf16 where the processor has it
JUDGMENT_URL = ""  # your source of judgments: http(s) and {title}, {citation} or {case_id}
