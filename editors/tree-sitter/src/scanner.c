// Lines and their indentation. A line ends where the next one is not a part of it; what stands deeper stands below it.
#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"
#include <string.h>

enum Token { NEWLINE, EXAMPLE_NEWLINE, BEGIN, INDENT, DEDENT, MARGIN };
enum { MOST_LEVELS = 24, LONGEST = 8 };

typedef struct {
  uint16_t columns[MOST_LEVELS]; // of the lines that are open, the outermost first
  uint8_t levels;
  uint8_t has_ended; // the line before is over, and nothing of the next one has been read
} Scanner;

// What comes next: its column, and the word or sign that it begins with.
typedef struct {
  uint32_t column;
  bool is_end; // of the file
  char first[LONGEST + 1];
} NextLine;

static const char *const GOES_ON_BEFORE[] = {"and", "or", "then", "else", "because"};

void *tree_sitter_rules_external_scanner_create(void) {
  Scanner *scanner = ts_calloc(1, sizeof(Scanner));
  scanner->has_ended = 1;
  return scanner;
}

void tree_sitter_rules_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_rules_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_rules_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *scanner = payload;
  memset(scanner, 0, sizeof(Scanner));
  scanner->has_ended = 1;
  if (length == sizeof(Scanner)) memcpy(scanner, buffer, length);
}

static bool is_letter(int32_t sign) {
  return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') || sign == '_' || sign > 127;
}

static bool is_blank(int32_t sign) {
  return sign == ' ' || sign == '\t' || sign == '\n' || sign == '\r' || sign == '\f' || sign == 0xFEFF;
}

static void read_first_word(TSLexer *lexer, NextLine *next) {
  unsigned length = 0;
  if (!is_letter(lexer->lookahead)) {
    if (lexer->lookahead < 128) next->first[0] = (char)lexer->lookahead;
    return;
  }
  for (; is_letter(lexer->lookahead); lexer->advance(lexer, false)) {
    if (length < LONGEST && lexer->lookahead < 128) next->first[length++] = (char)lexer->lookahead;
    else length = LONGEST + 1;
    if (length > LONGEST) break;
  }
  if (length > LONGEST) next->first[0] = '\0'; // a longer word than any that matters
}

// Goes to the first sign that is more than blanks and comments. A token that ends behind the first blanks may be made.
static NextLine look_ahead(TSLexer *lexer) {
  NextLine next = {lexer->get_column(lexer), false, {0}};
  bool is_first = true;
  for (;;) {
    while (!lexer->eof(lexer) && is_blank(lexer->lookahead)) {
      next.column = lexer->lookahead == '\n' ? 0 : next.column + (lexer->lookahead == ' ' || lexer->lookahead == '\t');
      lexer->advance(lexer, false);
    }
    if (is_first) lexer->mark_end(lexer);
    is_first = false;
    if (lexer->eof(lexer)) {
      next.column = 0;
      next.is_end = true;
      return next;
    }
    if (lexer->lookahead != '#') break;
    while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
  }
  read_first_word(lexer, &next);
  return next;
}

static uint32_t column_of(const Scanner *scanner) { return scanner->levels ? scanner->columns[scanner->levels - 1] : 0; }

static bool goes_on(const Scanner *scanner, const NextLine *next, const bool *valid) {
  bool may_end = valid[NEWLINE] || valid[EXAMPLE_NEWLINE];
  if (next->is_end) return false;
  if (!may_end && next->first[0] != '\0' && strchr(")]}", next->first[0])) return true;
  if (next->column <= column_of(scanner)) return false;
  if (!may_end) return true;
  if (valid[EXAMPLE_NEWLINE]) return false;
  for (unsigned at = 0; at < sizeof(GOES_ON_BEFORE) / sizeof(*GOES_ON_BEFORE); at++) {
    if (strcmp(next->first, GOES_ON_BEFORE[at]) == 0) return true;
  }
  return false;
}

// At the end of a line: it goes on, it ends, or it must not end here.
static bool end_line(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  NextLine next = look_ahead(lexer);
  if (goes_on(scanner, &next, valid)) {
    lexer->result_symbol = MARGIN;
    return true;
  }
  if (!valid[NEWLINE] && !valid[EXAMPLE_NEWLINE]) return false;
  scanner->has_ended = 1;
  lexer->result_symbol = valid[NEWLINE] ? NEWLINE : EXAMPLE_NEWLINE;
  return true;
}

// Between lines: whether a body begins or ends, else the line itself. What stands too deep, or between two levels, is neither.
static bool begin_line(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  if (lexer->lookahead == '\n') {
    look_ahead(lexer);
    lexer->result_symbol = MARGIN;
    return true;
  }
  bool is_comment = lexer->lookahead == '#';
  lexer->mark_end(lexer);
  NextLine next = {lexer->get_column(lexer), lexer->eof(lexer), {0}};
  if (is_comment) {
    while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
    while (!lexer->eof(lexer) && (is_blank(lexer->lookahead) || lexer->lookahead == '#')) {
      if (lexer->lookahead == '#') {
        while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
        continue;
      }
      next.column = lexer->lookahead == '\n' ? 0 : next.column + 1;
      lexer->advance(lexer, false);
    }
    next.is_end = lexer->eof(lexer);
  }
  if (next.is_end) next.column = 0;
  if (next.column < column_of(scanner) && valid[DEDENT]) {
    scanner->levels--;
    lexer->result_symbol = DEDENT;
    return true;
  }
  if (next.column > column_of(scanner) && scanner->levels < MOST_LEVELS && valid[INDENT]) {
    scanner->columns[scanner->levels++] = (uint16_t)next.column;
    lexer->result_symbol = INDENT;
    return true;
  }
  if (next.column == column_of(scanner) && !is_comment && !next.is_end && valid[BEGIN]) {
    scanner->has_ended = 0;
    lexer->result_symbol = BEGIN;
    return true;
  }
  return false;
}

bool tree_sitter_rules_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r' || lexer->lookahead == 0xFEFF) {
    lexer->advance(lexer, true);
  }
  if (scanner->has_ended) return begin_line(scanner, lexer, valid);
  if (lexer->lookahead == '\n' || lexer->eof(lexer)) return end_line(scanner, lexer, valid);
  return false;
}
